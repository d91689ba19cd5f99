"""An invented timeline, and the same events told in other words."""

ORIGINAL = (
    (0, ["An explosion destroyed the chemical plant near the river."]),
    (1, ["The government ordered the evacuation of three villages."]),
    (3, ["Doctors treated dozens of injured workers in the city hospital."]),
    (5, ["Thousands of dead fish were found downstream."]),
    (9, ["The company's chief executive resigned under pressure."]),
    (14, ["Prosecutors opened a criminal investigation into the accident."]),
    (20, ["Residents were allowed to return to their homes."]),
    (31, ["The court fined the company two million dollars."]),
)
PARAPHRASE = (
    (0, ["A blast wrecked the factory for chemicals beside the river."]),
    (1, ["Authorities told people in three villages to leave."]),
    (3, ["Dozens of hurt employees received medical care at the hospital in the city."]),
    (5, ["Fish died by the thousands further down the river."]),
    (9, ["The head of the firm stepped down after pressure grew."]),
    (14, ["State attorneys began a criminal probe of the disaster."]),
    (20, ["People could go back to their houses."]),
    (31, ["Judges made the firm pay a fine of two million dollars."]),
)
