-- dump of table chronicle, 2020-09-09
CREATE TABLE chronicle (id INTEGER, happened DATE, descr TEXT);
INSERT INTO chronicle (id, happened, descr) VALUES (1, '1821-03-25', 'Monastery raises the banner of revolt');
INSERT INTO chronicle (id, happened, descr) VALUES (2, '1822-04-11', 'Fleet lands on the island');
INSERT INTO chronicle (id, happened, descr) VALUES (3, '1824-01-05', 'Poet''s ship arrives in the lagoon town');
INSERT INTO chronicle (id, happened, descr) VALUES (4, '1826-04-22', 'The besieged attempt a sortie'), (5, '1827-10-20', 'Three allied squadrons destroy the fleet');
INSERT INTO chronicle (id, happened, descr) VALUES (6, '1830-02-03', 'Protocol of independence signed');
