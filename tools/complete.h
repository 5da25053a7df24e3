/* Completion for shells: what can stand in the place of the last word of a command line. */
#ifndef TOOLS_COMPLETE_H
#define TOOLS_COMPLETE_H

#include <stddef.h>

/*
 * mtlcap --complete WORD...: the words behind mtlcap, up to the one to be completed, which may be
 * empty. It is asked by the shells' completions, in tools/completions. Each line is a word that can
 * stand there, a tab, and what it is; one that is to go on ends with =. A line of another kind:
 *
 *   :files N        the name of a file can, behind the first N bytes of the word
 *   :program N      from word N on (mtlcap is 1) it is the command line of another program
 *   :unknown KIND   nothing is known of this word of usage: complete_kinds.c lacks a row
 *
 * No device is looked at. Returns an exit code.
 */
int complete(int count, char *const *words);

/* The word to be completed, of which `done` bytes stay: "--profile=auto," of one that begins so. */
struct place {
    const char *word;
    size_t done;
};

/* Writes the word with `candidate` in it, if that begins with what has been typed. */
void offer(const struct place *place, const char *candidate, const char *what);

/* Offers what a word of usage stands for: "PROFILE", "FILE", "none|inherit". */
void complete_kind(const struct place *place, const char *kind);

#endif
