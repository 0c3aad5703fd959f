/* Counts the tilings of a board of 8 by 8 cells by dominoes, with the search of `--solver backtracking`.

       cc -o dominoes dominoes.c ./kernels-0.so && ./dominoes */

#include <stdio.h>
#include "kernels.h"

enum { SIDE = 8, CELLS = SIDE * SIDE, OPTIONS = 2 * SIDE * (SIDE - 1) };

/* What can be placed: by cell, the dominoes of which it is the first cell. */
static int64_t starts[CELLS + 1], member_starts[OPTIONS + 1];
static int32_t options[OPTIONS], members[2 * OPTIONS], tile[OPTIONS];
static int64_t size[1] = {2}, lower[1] = {CELLS / 2}, upper[1] = {CELLS / 2};

/* Where the search stands. */
static uint8_t covered[CELLS];
static int64_t used[1], next[CELLS + 1], cells[CELLS + 1], counters[5]; /* counters[3]: solutions found */
static int32_t chosen[CELLS + 1];

static void place(int32_t *option, int cell, int other) {
    members[2 * *option] = cell;
    members[2 * *option + 1] = other;
    options[*option] = *option;
    member_starts[*option + 1] = 2 * (*option + 1);
    ++*option;
}

int main(void) {
    int32_t option = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        starts[cell] = option;
        if (cell % SIDE < SIDE - 1) place(&option, cell, cell + 1);
        if (cell / SIDE < SIDE - 1) place(&option, cell, cell + SIDE);
    }
    starts[CELLS] = option;

    struct tiler_backends_backtracking_kernel_search_FirstCellLists lists = {
        .starts = {starts, CELLS + 1}, .options = {options, OPTIONS}, .member_starts = {member_starts, OPTIONS + 1},
        .members = {members, 2 * OPTIONS}, .tile = {tile, OPTIONS},
        .size = {size, 1}, .lower = {lower, 1}, .upper = {upper, 1},
    };
    struct tiler_backends_backtracking_kernel_search_BacktrackingState state = {
        .covered = {covered, CELLS}, .used = {used, 1}, .next = {next, CELLS + 1}, .cells = {cells, CELLS + 1},
        .chosen = {chosen, CELLS + 1}, .counters = {counters, 5},
    };
    struct tiler_backends_backtracking_kernel_search_SolutionRows solutions = {0}; /* None is written down. */
    uint64_t outcome[2];
    do { /* A million nodes at a time: here one could look at the clock. */
        if (tiler_backends_backtracking_kernel_search(outcome, &lists, &state, &solutions, 1000000, 0) != 0) return 1;
    } while (outcome[0] != 0); /* 0: the whole tree is searched */
    printf("%lld\n", (long long)counters[3]);
    return 0;
}
