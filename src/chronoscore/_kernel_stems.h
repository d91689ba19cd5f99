/* Stems of English words by rule; see _kernel_stems.c. */
#ifndef KERNEL_STEMS_H
#define KERNEL_STEMS_H
#include <stddef.h>

/* Which rules strip endings; text/kernel_words.py has the same numbers. */
enum { NO_STEMS, ROUGE155_STEMS, NLTK_STEMS };

/* Strip a word of three or more lower-case letters and digits in place; its new length. */
size_t stem_rouge155(char *word, size_t length);
size_t stem_nltk(char *word, size_t length);

#endif
