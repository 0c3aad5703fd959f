/* The kernels of Tiler, written by `python -m tiler.kernels.header`.

   Each function returns 0; where it returns -1 or 1 it failed, as by a division by zero, and outcome[1] is not 0. What a kernel
   gives back is outcome[0]. An array is the address of its first number and its lengths; it lies in one piece, row by row. What
   the arrays hold is said in the file that is named above each function. A kernel keeps nothing of its own: threads may call it
   at the same time with arrays of their own. */

#ifndef TILER_KERNELS_H
#define TILER_KERNELS_H

#include <stdint.h>

/* Which library this processor can run: kernels-0.so, or from 1 on kernels-1.so. In kernels-0.so only. */
int tiler_level(void);

struct tiler_boolean { uint8_t *items; int64_t length; };
struct tiler_boolean_2 { uint8_t *items; int64_t length[2]; };
struct tiler_int32 { int32_t *items; int64_t length; };
struct tiler_int32_2 { int32_t *items; int64_t length[2]; };
struct tiler_int64 { int64_t *items; int64_t length; };
struct tiler_int64_2 { int64_t *items; int64_t length[2]; };
struct tiler_uint32 { uint32_t *items; int64_t length; };
struct tiler_uint32_2 { uint32_t *items; int64_t length[2]; };
struct tiler_uint64 { uint64_t *items; int64_t length; };
struct tiler_uint64_2 { uint64_t *items; int64_t length[2]; };
struct tiler_uint64_3 { uint64_t *items; int64_t length[3]; };
struct tiler_uint8 { uint8_t *items; int64_t length; };

/* tiler.apps.puzzles.apart.kernel.enter */
struct tiler_apps_puzzles_apart_kernel_enter_PositionState {
    struct tiler_int32_2 places;
    struct tiler_int32 parents;
    struct tiler_int32 slots;
    struct tiler_int64_2 ends;
    struct tiler_int64 matrix;
    struct tiler_int64 closure;
    struct tiler_int64 without;
    struct tiler_int64 taken;
    struct tiler_int64 kept;
    struct tiler_int64 counters;
};
int32_t tiler_apps_puzzles_apart_kernel_enter(
    uint64_t outcome[2],
    const struct tiler_apps_puzzles_apart_kernel_enter_PositionState *work
);

/* tiler.apps.puzzles.apart.kernel.advance */
struct tiler_apps_puzzles_apart_kernel_advance_Distances {
    struct tiler_int64_2 vectors;
    struct tiler_int64 starts;
    struct tiler_int64_2 lows;
    struct tiler_int64_2 sides;
    struct tiler_int32 far;
};
struct tiler_apps_puzzles_apart_kernel_advance_PositionState {
    struct tiler_int32_2 places;
    struct tiler_int32 parents;
    struct tiler_int32 slots;
    struct tiler_int64_2 ends;
    struct tiler_int64 matrix;
    struct tiler_int64 closure;
    struct tiler_int64 without;
    struct tiler_int64 taken;
    struct tiler_int64 kept;
    struct tiler_int64 counters;
};
int32_t tiler_apps_puzzles_apart_kernel_advance(
    uint64_t outcome[2],
    const struct tiler_apps_puzzles_apart_kernel_advance_Distances *given,
    const struct tiler_apps_puzzles_apart_kernel_advance_PositionState *work,
    int64_t last,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.backtracking.kernel.go_back */
struct tiler_backends_backtracking_kernel_go_back_FirstCellLists {
    struct tiler_int64 starts;
    struct tiler_int32 options;
    struct tiler_int64 member_starts;
    struct tiler_int32 members;
    struct tiler_int32 tile;
    struct tiler_int64 size;
    struct tiler_int64 lower;
    struct tiler_int64 upper;
    struct tiler_int64 shared_starts;
    struct tiler_int32 shared;
    struct tiler_int32 colour;
};
struct tiler_backends_backtracking_kernel_go_back_BacktrackingState {
    struct tiler_uint8 covered;
    struct tiler_int64 used;
    struct tiler_int64 next;
    struct tiler_int64 cells;
    struct tiler_int32 chosen;
    struct tiler_int32 shades;
    struct tiler_int32 givers;
    struct tiler_int64 counters;
};
int32_t tiler_backends_backtracking_kernel_go_back(
    uint64_t outcome[2],
    const struct tiler_backends_backtracking_kernel_go_back_FirstCellLists *lists,
    const struct tiler_backends_backtracking_kernel_go_back_BacktrackingState *state,
    int64_t depth
);

/* tiler.backends.backtracking.kernel.search */
struct tiler_backends_backtracking_kernel_search_FirstCellLists {
    struct tiler_int64 starts;
    struct tiler_int32 options;
    struct tiler_int64 member_starts;
    struct tiler_int32 members;
    struct tiler_int32 tile;
    struct tiler_int64 size;
    struct tiler_int64 lower;
    struct tiler_int64 upper;
    struct tiler_int64 shared_starts;
    struct tiler_int32 shared;
    struct tiler_int32 colour;
};
struct tiler_backends_backtracking_kernel_search_BacktrackingState {
    struct tiler_uint8 covered;
    struct tiler_int64 used;
    struct tiler_int64 next;
    struct tiler_int64 cells;
    struct tiler_int32 chosen;
    struct tiler_int32 shades;
    struct tiler_int32 givers;
    struct tiler_int64 counters;
};
struct tiler_backends_backtracking_kernel_search_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
int32_t tiler_backends_backtracking_kernel_search(
    uint64_t outcome[2],
    const struct tiler_backends_backtracking_kernel_search_FirstCellLists *lists,
    const struct tiler_backends_backtracking_kernel_search_BacktrackingState *state,
    const struct tiler_backends_backtracking_kernel_search_SolutionRows *solutions,
    int64_t budget,
    int64_t most
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.shared.kernel_profiles.rehash */
struct tiler_backends_frontier_shared_kernel_profiles_rehash_WideProfiles {
    struct tiler_uint64_2 masks;
    struct tiler_int32_2 links;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_shared_kernel_profiles_rehash(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_shared_kernel_profiles_rehash_WideProfiles *profiles,
    int64_t start,
    int64_t stop
);

/* tiler.backends.frontier.shared.kernel_profiles.expand */
struct tiler_backends_frontier_shared_kernel_profiles_expand_WideRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64_2 fit_masks;
    struct tiler_int32 fit_tile;
    struct tiler_int64 around_starts;
    struct tiler_int32 around;
    struct tiler_boolean possible;
    struct tiler_int64_2 counters;
    struct tiler_int32 owing;
    int64_t key_words;
};
struct tiler_backends_frontier_shared_kernel_profiles_expand_WordMaps {
    struct tiler_int64 cut;
    struct tiler_int64 room;
    struct tiler_int64_2 table_at;
    struct tiler_uint64_3 cells;
    struct tiler_uint64_3 keys;
};
struct tiler_backends_frontier_shared_kernel_profiles_expand_WideProfiles {
    struct tiler_uint64_2 masks;
    struct tiler_int32_2 links;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_shared_kernel_profiles_expand_Judging {
    struct tiler_uint64 fresh;
    struct tiler_int32 queue;
    struct tiler_int64 seen;
    struct tiler_int64 floods;
};
struct tiler_backends_frontier_shared_kernel_profiles_expand_StateLists {
    struct tiler_int32 last_at;
    struct tiler_int64_2 spans;
    struct tiler_uint64_2 rows;
};
int32_t tiler_backends_frontier_shared_kernel_profiles_expand(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_shared_kernel_profiles_expand_WideRules *rules,
    const struct tiler_backends_frontier_shared_kernel_profiles_expand_WordMaps *maps,
    const struct tiler_backends_frontier_shared_kernel_profiles_expand_WideProfiles *profiles,
    const struct tiler_backends_frontier_shared_kernel_profiles_expand_Judging *judging,
    const struct tiler_backends_frontier_shared_kernel_profiles_expand_StateLists *lists,
    const struct tiler_int32 *here,
    int64_t start
); /* outcome[0]: int64_t */

/* tiler.backends.beam.kernel.search */
struct tiler_backends_beam_kernel_search_WideRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64_2 fit_masks;
    struct tiler_int32 fit_tile;
    struct tiler_int64 around_starts;
    struct tiler_int32 around;
    struct tiler_boolean possible;
    struct tiler_int64_2 counters;
    struct tiler_int32 owing;
    int64_t key_words;
};
struct tiler_backends_beam_kernel_search_Scoring {
    struct tiler_boolean is_filler;
    int64_t smallest;
    struct tiler_int32 shared;
    struct tiler_int64 copies;
    int64_t most_open;
    int64_t open_weight;
    int64_t shut_in_weight;
    int64_t border_weight;
    int64_t uneven_weight;
    int64_t noise;
    uint64_t seed;
};
struct tiler_backends_beam_kernel_search_BeamStates {
    struct tiler_uint64_2 masks;
    struct tiler_uint64_2 keys;
    struct tiler_int32_2 links;
    struct tiler_int64 scores;
    struct tiler_int32 table;
    struct tiler_int32_2 heaps;
    struct tiler_int64 sizes;
    struct tiler_uint64 fresh;
    struct tiler_int64 state;
};
struct tiler_backends_beam_kernel_search_Looking {
    struct tiler_uint64 mask;
    struct tiler_int32 queue;
    struct tiler_int64 seen;
    struct tiler_int64 looks;
    struct tiler_int64 results;
};
int32_t tiler_backends_beam_kernel_search(
    uint64_t outcome[2],
    const struct tiler_backends_beam_kernel_search_WideRules *rules,
    const struct tiler_backends_beam_kernel_search_Scoring *scoring,
    const struct tiler_backends_beam_kernel_search_BeamStates *states,
    const struct tiler_backends_beam_kernel_search_Looking *looking,
    int64_t most_fits,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.dlx.kernel.children */
struct tiler_backends_dlx_kernel_children_DlxMatrix {
    struct tiler_uint64 starts;
    struct tiler_uint32 items;
    struct tiler_int64 list_starts;
    struct tiler_uint32 word;
    struct tiler_uint64 mask;
    struct tiler_int32 tile;
    struct tiler_int64 size;
    struct tiler_int64 lower;
    struct tiler_int64 upper;
    struct tiler_uint64 rival_starts;
    struct tiler_uint32 rivals;
    struct tiler_uint32 shared;
    int64_t shades;
    struct tiler_int64 tint;
    struct tiler_int64 tint_most;
    struct tiler_int64 rules;
    int64_t pieces;
    int64_t smallest;
    int64_t handoff;
    int64_t watched;
    int64_t narrow;
};
struct tiler_backends_dlx_kernel_children_DlxState {
    struct tiler_uint64 kill;
    struct tiler_int64 used;
    struct tiler_uint64_2 alive;
    struct tiler_int32_2 degree;
    struct tiler_uint64 rest;
    struct tiler_int64_2 stack;
    struct tiler_int64 fits;
    struct tiler_int64 counters;
};
struct tiler_backends_dlx_kernel_children_Narrow {
    struct tiler_uint64 cells_of;
    struct tiler_int64 number_of;
    struct tiler_int64 cell_of;
    struct tiler_int64 option_of;
    struct tiler_uint64 option_cells;
    struct tiler_int64 tile_of;
    struct tiler_uint64 bit_of;
    struct tiler_uint64 tile_options;
    struct tiler_uint64 cover;
    struct tiler_uint64 open_cells;
    struct tiler_uint64 needed;
    struct tiler_uint64 words;
    struct tiler_uint64 colour_options;
    struct tiler_uint64 giving;
    struct tiler_uint64 known;
    struct tiler_uint64 conflicts;
    struct tiler_int64 todo;
    struct tiler_uint64 square;
};
struct tiler_backends_dlx_kernel_children_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
struct tiler_backends_dlx_kernel_children_DlxNodes {
    struct tiler_uint64_2 alive;
    struct tiler_int32_2 degree;
    struct tiler_int64_2 stack;
    struct tiler_int64_2 used;
};
int32_t tiler_backends_dlx_kernel_children(
    uint64_t outcome[2],
    const struct tiler_backends_dlx_kernel_children_DlxMatrix *matrix,
    const struct tiler_backends_dlx_kernel_children_DlxState *state,
    const struct tiler_backends_dlx_kernel_children_Narrow *narrow,
    const struct tiler_backends_dlx_kernel_children_SolutionRows *solutions,
    const struct tiler_backends_dlx_kernel_children_DlxNodes *above,
    const struct tiler_int64 *at,
    const struct tiler_backends_dlx_kernel_children_DlxNodes *into
); /* outcome[0]: int64_t */

/* tiler.backends.dlx.kernel.go_back */
struct tiler_backends_dlx_kernel_go_back_DlxMatrix {
    struct tiler_uint64 starts;
    struct tiler_uint32 items;
    struct tiler_int64 list_starts;
    struct tiler_uint32 word;
    struct tiler_uint64 mask;
    struct tiler_int32 tile;
    struct tiler_int64 size;
    struct tiler_int64 lower;
    struct tiler_int64 upper;
    struct tiler_uint64 rival_starts;
    struct tiler_uint32 rivals;
    struct tiler_uint32 shared;
    int64_t shades;
    struct tiler_int64 tint;
    struct tiler_int64 tint_most;
    struct tiler_int64 rules;
    int64_t pieces;
    int64_t smallest;
    int64_t handoff;
    int64_t watched;
    int64_t narrow;
};
struct tiler_backends_dlx_kernel_go_back_DlxState {
    struct tiler_uint64 kill;
    struct tiler_int64 used;
    struct tiler_uint64_2 alive;
    struct tiler_int32_2 degree;
    struct tiler_uint64 rest;
    struct tiler_int64_2 stack;
    struct tiler_int64 fits;
    struct tiler_int64 counters;
};
struct tiler_backends_dlx_kernel_go_back_Narrow {
    struct tiler_uint64 cells_of;
    struct tiler_int64 number_of;
    struct tiler_int64 cell_of;
    struct tiler_int64 option_of;
    struct tiler_uint64 option_cells;
    struct tiler_int64 tile_of;
    struct tiler_uint64 bit_of;
    struct tiler_uint64 tile_options;
    struct tiler_uint64 cover;
    struct tiler_uint64 open_cells;
    struct tiler_uint64 needed;
    struct tiler_uint64 words;
    struct tiler_uint64 colour_options;
    struct tiler_uint64 giving;
    struct tiler_uint64 known;
    struct tiler_uint64 conflicts;
    struct tiler_int64 todo;
    struct tiler_uint64 square;
};
int32_t tiler_backends_dlx_kernel_go_back(
    uint64_t outcome[2],
    const struct tiler_backends_dlx_kernel_go_back_DlxMatrix *matrix,
    const struct tiler_backends_dlx_kernel_go_back_DlxState *state,
    const struct tiler_backends_dlx_kernel_go_back_Narrow *narrow,
    int64_t depth
);

/* tiler.backends.dlx.kernel.search */
struct tiler_backends_dlx_kernel_search_DlxMatrix {
    struct tiler_uint64 starts;
    struct tiler_uint32 items;
    struct tiler_int64 list_starts;
    struct tiler_uint32 word;
    struct tiler_uint64 mask;
    struct tiler_int32 tile;
    struct tiler_int64 size;
    struct tiler_int64 lower;
    struct tiler_int64 upper;
    struct tiler_uint64 rival_starts;
    struct tiler_uint32 rivals;
    struct tiler_uint32 shared;
    int64_t shades;
    struct tiler_int64 tint;
    struct tiler_int64 tint_most;
    struct tiler_int64 rules;
    int64_t pieces;
    int64_t smallest;
    int64_t handoff;
    int64_t watched;
    int64_t narrow;
};
struct tiler_backends_dlx_kernel_search_DlxState {
    struct tiler_uint64 kill;
    struct tiler_int64 used;
    struct tiler_uint64_2 alive;
    struct tiler_int32_2 degree;
    struct tiler_uint64 rest;
    struct tiler_int64_2 stack;
    struct tiler_int64 fits;
    struct tiler_int64 counters;
};
struct tiler_backends_dlx_kernel_search_Narrow {
    struct tiler_uint64 cells_of;
    struct tiler_int64 number_of;
    struct tiler_int64 cell_of;
    struct tiler_int64 option_of;
    struct tiler_uint64 option_cells;
    struct tiler_int64 tile_of;
    struct tiler_uint64 bit_of;
    struct tiler_uint64 tile_options;
    struct tiler_uint64 cover;
    struct tiler_uint64 open_cells;
    struct tiler_uint64 needed;
    struct tiler_uint64 words;
    struct tiler_uint64 colour_options;
    struct tiler_uint64 giving;
    struct tiler_uint64 known;
    struct tiler_uint64 conflicts;
    struct tiler_int64 todo;
    struct tiler_uint64 square;
};
struct tiler_backends_dlx_kernel_search_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
int32_t tiler_backends_dlx_kernel_search(
    uint64_t outcome[2],
    const struct tiler_backends_dlx_kernel_search_DlxMatrix *matrix,
    const struct tiler_backends_dlx_kernel_search_DlxState *state,
    const struct tiler_backends_dlx_kernel_search_Narrow *narrow,
    const struct tiler_backends_dlx_kernel_search_SolutionRows *solutions,
    int64_t budget,
    int64_t most
); /* outcome[0]: int64_t */

/* tiler.backends.fila.kernel_lists.narrow */
struct tiler_backends_fila_kernel_lists_narrow_ListedImages {
    struct tiler_uint64 has;
    struct tiler_int64 starts;
    struct tiler_uint64 masks;
    struct tiler_int32 option;
};
int32_t tiler_backends_fila_kernel_lists_narrow(
    uint64_t outcome[2],
    const struct tiler_boolean *keep,
    int64_t tiles,
    int64_t tile_words,
    const struct tiler_backends_fila_kernel_lists_narrow_ListedImages *images,
    const struct tiler_backends_fila_kernel_lists_narrow_ListedImages *into
);

/* tiler.backends.fila.kernel_lists.search */
struct tiler_backends_fila_kernel_lists_search_Slots {
    struct tiler_int64 first;
    struct tiler_int64 base;
    struct tiler_int64 around;
};
struct tiler_backends_fila_kernel_lists_search_ListedImages {
    struct tiler_uint64 has;
    struct tiler_int64 starts;
    struct tiler_uint64 masks;
    struct tiler_int32 option;
};
struct tiler_backends_fila_kernel_lists_search_Order {
    struct tiler_int64_2 sequences;
    struct tiler_int64 phases;
    struct tiler_int64 size;
    struct tiler_int64 pieces;
};
struct tiler_backends_fila_kernel_lists_search_CellChoice {
    struct tiler_uint64 near;
    struct tiler_int64 near_base;
    struct tiler_int64 scratch;
};
struct tiler_backends_fila_kernel_lists_search_ListsState {
    struct tiler_int64 left;
    struct tiler_int64 owed;
    struct tiler_uint64 available;
    struct tiler_uint64 occupied;
    struct tiler_int64_2 stack;
    struct tiler_uint64 todo;
    struct tiler_uint64 windows;
    struct tiler_int64 fits;
    struct tiler_int64 nofits;
    struct tiler_int64 targets;
    struct tiler_int64 tally;
    struct tiler_uint64 usable;
    struct tiler_int64 counters;
};
struct tiler_backends_fila_kernel_lists_search_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
int32_t tiler_backends_fila_kernel_lists_search(
    uint64_t outcome[2],
    const struct tiler_backends_fila_kernel_lists_search_Slots *slots,
    const struct tiler_backends_fila_kernel_lists_search_ListedImages *images,
    const struct tiler_backends_fila_kernel_lists_search_Order *order,
    const struct tiler_backends_fila_kernel_lists_search_CellChoice *choice,
    const struct tiler_backends_fila_kernel_lists_search_ListsState *state,
    const struct tiler_backends_fila_kernel_lists_search_SolutionRows *solutions,
    int64_t budget,
    int64_t most
); /* outcome[0]: int64_t */

/* tiler.backends.fila.kernel_window.children */
struct tiler_backends_fila_kernel_window_children_WindowLists {
    struct tiler_int64 class_of;
    struct tiler_int64 class_starts;
    struct tiler_uint64 class_masks;
    struct tiler_uint64_2 class_further;
    struct tiler_int64 class_tiles;
    struct tiler_uint64 known;
    struct tiler_uint64_2 nearby;
    struct tiler_boolean_2 possible;
    struct tiler_int64 size;
    struct tiler_uint64 tile_bit;
    struct tiler_uint64 further_cells;
    struct tiler_int64 pieces;
    struct tiler_int32 table;
    struct tiler_uint64 masks;
    struct tiler_uint64_2 further;
    struct tiler_int32 which;
};
struct tiler_backends_fila_kernel_window_children_WindowState {
    struct tiler_int64 left;
    struct tiler_int64 owed;
    struct tiler_uint64_2 words;
    struct tiler_uint64_2 further;
    struct tiler_int64_2 stack;
    struct tiler_int64 fits;
    struct tiler_int64 attempts;
    struct tiler_int64 counters;
};
struct tiler_backends_fila_kernel_window_children_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
struct tiler_backends_fila_kernel_window_children_WindowNodes {
    struct tiler_uint64 filled;
    struct tiler_uint64_2 further;
    struct tiler_int64 where;
    struct tiler_int64_2 left;
    struct tiler_int64_2 owed;
    struct tiler_int64_2 counters;
};
int32_t tiler_backends_fila_kernel_window_children(
    uint64_t outcome[2],
    const struct tiler_backends_fila_kernel_window_children_WindowLists *lists,
    const struct tiler_backends_fila_kernel_window_children_WindowState *state,
    const struct tiler_backends_fila_kernel_window_children_SolutionRows *solutions,
    const struct tiler_backends_fila_kernel_window_children_WindowNodes *above,
    const struct tiler_int64 *at,
    const struct tiler_backends_fila_kernel_window_children_WindowNodes *into
); /* outcome[0]: int64_t */

/* tiler.backends.fila.kernel_window.search */
struct tiler_backends_fila_kernel_window_search_WindowLists {
    struct tiler_int64 class_of;
    struct tiler_int64 class_starts;
    struct tiler_uint64 class_masks;
    struct tiler_uint64_2 class_further;
    struct tiler_int64 class_tiles;
    struct tiler_uint64 known;
    struct tiler_uint64_2 nearby;
    struct tiler_boolean_2 possible;
    struct tiler_int64 size;
    struct tiler_uint64 tile_bit;
    struct tiler_uint64 further_cells;
    struct tiler_int64 pieces;
    struct tiler_int32 table;
    struct tiler_uint64 masks;
    struct tiler_uint64_2 further;
    struct tiler_int32 which;
};
struct tiler_backends_fila_kernel_window_search_WindowState {
    struct tiler_int64 left;
    struct tiler_int64 owed;
    struct tiler_uint64_2 words;
    struct tiler_uint64_2 further;
    struct tiler_int64_2 stack;
    struct tiler_int64 fits;
    struct tiler_int64 attempts;
    struct tiler_int64 counters;
};
struct tiler_backends_fila_kernel_window_search_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
int32_t tiler_backends_fila_kernel_window_search(
    uint64_t outcome[2],
    const struct tiler_backends_fila_kernel_window_search_WindowLists *lists,
    const struct tiler_backends_fila_kernel_window_search_WindowState *state,
    const struct tiler_backends_fila_kernel_window_search_SolutionRows *solutions,
    int64_t budget,
    int64_t most
); /* outcome[0]: int64_t */

/* tiler.backends.fila.kernel_window.search_wide */
struct tiler_backends_fila_kernel_window_search_wide_WindowLists {
    struct tiler_int64 class_of;
    struct tiler_int64 class_starts;
    struct tiler_uint64 class_masks;
    struct tiler_uint64_2 class_further;
    struct tiler_int64 class_tiles;
    struct tiler_uint64 known;
    struct tiler_uint64_2 nearby;
    struct tiler_boolean_2 possible;
    struct tiler_int64 size;
    struct tiler_uint64 tile_bit;
    struct tiler_uint64 further_cells;
    struct tiler_int64 pieces;
    struct tiler_int32 table;
    struct tiler_uint64 masks;
    struct tiler_uint64_2 further;
    struct tiler_int32 which;
};
struct tiler_backends_fila_kernel_window_search_wide_WindowState {
    struct tiler_int64 left;
    struct tiler_int64 owed;
    struct tiler_uint64_2 words;
    struct tiler_uint64_2 further;
    struct tiler_int64_2 stack;
    struct tiler_int64 fits;
    struct tiler_int64 attempts;
    struct tiler_int64 counters;
};
struct tiler_backends_fila_kernel_window_search_wide_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
int32_t tiler_backends_fila_kernel_window_search_wide(
    uint64_t outcome[2],
    const struct tiler_backends_fila_kernel_window_search_wide_WindowLists *lists,
    const struct tiler_backends_fila_kernel_window_search_wide_WindowState *state,
    const struct tiler_backends_fila_kernel_window_search_wide_SolutionRows *solutions,
    int64_t budget,
    int64_t most
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.tables.kernel_tables.advance */
struct tiler_backends_frontier_tables_kernel_tables_advance_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_tables_kernel_tables_advance_WordMaps {
    struct tiler_int64 cut;
    struct tiler_int64 room;
    struct tiler_int64_2 table_at;
    struct tiler_uint64_3 cells;
    struct tiler_uint64_3 keys;
};
struct tiler_backends_frontier_tables_kernel_tables_advance_HashTables {
    struct tiler_uint64_2 rows;
    struct tiler_int64_2 tables;
};
struct tiler_backends_frontier_tables_kernel_tables_advance_Batch {
    struct tiler_uint64 word;
    struct tiler_int64 target;
    struct tiler_int64 source;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_tables_kernel_tables_advance(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_tables_kernel_tables_advance_WordRules *rules,
    const struct tiler_backends_frontier_tables_kernel_tables_advance_WordMaps *maps,
    const struct tiler_backends_frontier_tables_kernel_tables_advance_HashTables *hashed,
    const struct tiler_backends_frontier_tables_kernel_tables_advance_Batch *batch,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.tables.kernel_tables.move */
int32_t tiler_backends_frontier_tables_kernel_tables_move(
    uint64_t outcome[2],
    const struct tiler_uint64_2 *rows,
    int64_t start,
    int64_t stop,
    int64_t to,
    int64_t limit,
    int64_t shift
);

/* tiler.cover.kernel_diagram.count */
struct tiler_cover_kernel_diagram_count_GivenArcs {
    struct tiler_int32_2 arcs;
    struct tiler_int64 nodes;
};
int32_t tiler_cover_kernel_diagram_count(
    uint64_t outcome[2],
    const struct tiler_cover_kernel_diagram_count_GivenArcs *given,
    int64_t start,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.cover.kernel_diagram.group */
struct tiler_cover_kernel_diagram_group_GivenArcs {
    struct tiler_int32_2 arcs;
    struct tiler_int64 nodes;
};
struct tiler_cover_kernel_diagram_group_DiagramLayer {
    struct tiler_int64 begins;
    struct tiler_int32 option;
    struct tiler_int32 target;
    struct tiler_int32 number;
    struct tiler_int64 kept;
    struct tiler_uint64 codes;
    struct tiler_int32 slots;
    struct tiler_int64 made;
};
int32_t tiler_cover_kernel_diagram_group(
    uint64_t outcome[2],
    const struct tiler_cover_kernel_diagram_group_GivenArcs *given,
    const struct tiler_cover_kernel_diagram_group_DiagramLayer *layer,
    int64_t start,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.cover.kernel_diagram.merge */
struct tiler_cover_kernel_diagram_merge_DiagramLayer {
    struct tiler_int64 begins;
    struct tiler_int32 option;
    struct tiler_int32 target;
    struct tiler_int32 number;
    struct tiler_int64 kept;
    struct tiler_uint64 codes;
    struct tiler_int32 slots;
    struct tiler_int64 made;
};
int32_t tiler_cover_kernel_diagram_merge(
    uint64_t outcome[2],
    const struct tiler_cover_kernel_diagram_merge_DiagramLayer *layer,
    int64_t start,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.cover.kernel_diagram.ways_to_end */
struct tiler_cover_kernel_diagram_ways_to_end_DiagramWays {
    struct tiler_int64 starts;
    struct tiler_int32 option;
    struct tiler_int32 target;
    struct tiler_uint64 back;
    struct tiler_uint64 forth;
    struct tiler_uint64 uses;
    int64_t modulus;
};
int32_t tiler_cover_kernel_diagram_ways_to_end(
    uint64_t outcome[2],
    const struct tiler_cover_kernel_diagram_ways_to_end_DiagramWays *arcs,
    int64_t start,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.cover.kernel_diagram.ways_from_root */
struct tiler_cover_kernel_diagram_ways_from_root_DiagramWays {
    struct tiler_int64 starts;
    struct tiler_int32 option;
    struct tiler_int32 target;
    struct tiler_uint64 back;
    struct tiler_uint64 forth;
    struct tiler_uint64 uses;
    int64_t modulus;
};
int32_t tiler_cover_kernel_diagram_ways_from_root(
    uint64_t outcome[2],
    const struct tiler_cover_kernel_diagram_ways_from_root_DiagramWays *arcs,
    int64_t start,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.cover.kernel_diagram.list_paths */
struct tiler_cover_kernel_diagram_list_paths_SolutionRows {
    struct tiler_int32_2 values;
    struct tiler_int64 lengths;
    struct tiler_int64 filled;
};
int32_t tiler_cover_kernel_diagram_list_paths(
    uint64_t outcome[2],
    const struct tiler_int64 *starts,
    const struct tiler_int32 *option,
    const struct tiler_int32 *target,
    const struct tiler_int64 *path,
    const struct tiler_int64 *depth,
    const struct tiler_cover_kernel_diagram_list_paths_SolutionRows *solutions,
    int64_t most
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.diagram.kernel_arcs.arcs_from */
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_WordMaps {
    struct tiler_int64 cut;
    struct tiler_int64 room;
    struct tiler_int64_2 table_at;
    struct tiler_uint64_3 cells;
    struct tiler_uint64_3 keys;
};
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_WordStates {
    struct tiler_int64 first;
    struct tiler_uint64 words;
};
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_Making {
    struct tiler_int32 node;
    struct tiler_int32 option;
    struct tiler_int32_2 arcs;
    struct tiler_int64 made;
};
int32_t tiler_backends_frontier_diagram_kernel_arcs_arcs_from(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_WordRules *rules,
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_WordMaps *maps,
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_WordStates *states,
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_from_Making *making,
    int64_t position,
    int64_t start,
    int64_t stop,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.diagram.kernel_arcs.arcs_into */
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_WideRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64_2 fit_masks;
    struct tiler_int32 fit_tile;
    struct tiler_int64 around_starts;
    struct tiler_int32 around;
    struct tiler_boolean possible;
    struct tiler_int64_2 counters;
    struct tiler_int32 owing;
    int64_t key_words;
};
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_WideProfiles {
    struct tiler_uint64_2 masks;
    struct tiler_int32_2 links;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_StateLists {
    struct tiler_int32 last_at;
    struct tiler_int64_2 spans;
    struct tiler_uint64_2 rows;
};
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_Lookup {
    struct tiler_int64 first;
    struct tiler_int32 slots;
    struct tiler_uint64_2 key;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_Making {
    struct tiler_int32 node;
    struct tiler_int32 option;
    struct tiler_int32_2 arcs;
    struct tiler_int64 made;
};
int32_t tiler_backends_frontier_diagram_kernel_arcs_arcs_into(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_WideRules *rules,
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_WideProfiles *profiles,
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_StateLists *lists,
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_Lookup *lookup,
    const struct tiler_backends_frontier_diagram_kernel_arcs_arcs_into_Making *making,
    const struct tiler_int32 *here,
    int64_t start,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.diagram.kernel_arcs.before */
struct tiler_backends_frontier_diagram_kernel_arcs_before_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_diagram_kernel_arcs_before_WordStates {
    struct tiler_int64 first;
    struct tiler_uint64 words;
};
int32_t tiler_backends_frontier_diagram_kernel_arcs_before(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_diagram_kernel_arcs_before_WordRules *rules,
    const struct tiler_backends_frontier_diagram_kernel_arcs_before_WordStates *states,
    const struct tiler_int64_2 *found,
    int64_t position,
    int64_t state
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.tables.kernel_exchange.lead_on */
struct tiler_backends_frontier_tables_kernel_exchange_lead_on_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_tables_kernel_exchange_lead_on_WordMaps {
    struct tiler_int64 cut;
    struct tiler_int64 room;
    struct tiler_int64_2 table_at;
    struct tiler_uint64_3 cells;
    struct tiler_uint64_3 keys;
};
struct tiler_backends_frontier_tables_kernel_exchange_lead_on_HashTables {
    struct tiler_uint64_2 rows;
    struct tiler_int64_2 tables;
};
struct tiler_backends_frontier_tables_kernel_exchange_lead_on_Exchange {
    struct tiler_uint64 word;
    struct tiler_int32 target;
    struct tiler_int64 source;
    struct tiler_int64 owner;
    struct tiler_int64 first;
    struct tiler_int64_2 filled;
    struct tiler_int64_2 quota;
    struct tiler_int64_2 wanting;
    struct tiler_int64_2 state;
};
int32_t tiler_backends_frontier_tables_kernel_exchange_lead_on(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_tables_kernel_exchange_lead_on_WordRules *rules,
    const struct tiler_backends_frontier_tables_kernel_exchange_lead_on_WordMaps *maps,
    const struct tiler_backends_frontier_tables_kernel_exchange_lead_on_HashTables *hashed,
    const struct tiler_backends_frontier_tables_kernel_exchange_lead_on_Exchange *exchange,
    int64_t position,
    int64_t maker
);

/* tiler.backends.frontier.tables.kernel_exchange.enter */
struct tiler_backends_frontier_tables_kernel_exchange_enter_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_tables_kernel_exchange_enter_HashTables {
    struct tiler_uint64_2 rows;
    struct tiler_int64_2 tables;
};
struct tiler_backends_frontier_tables_kernel_exchange_enter_Exchange {
    struct tiler_uint64 word;
    struct tiler_int32 target;
    struct tiler_int64 source;
    struct tiler_int64 owner;
    struct tiler_int64 first;
    struct tiler_int64_2 filled;
    struct tiler_int64_2 quota;
    struct tiler_int64_2 wanting;
    struct tiler_int64_2 state;
};
int32_t tiler_backends_frontier_tables_kernel_exchange_enter(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_tables_kernel_exchange_enter_WordRules *rules,
    const struct tiler_backends_frontier_tables_kernel_exchange_enter_HashTables *hashed,
    const struct tiler_backends_frontier_tables_kernel_exchange_enter_Exchange *exchange,
    int64_t taker
);

/* tiler.backends.frontier.halves.kernel_graph.lead_on */
struct tiler_backends_frontier_halves_kernel_graph_lead_on_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_halves_kernel_graph_lead_on_WordMaps {
    struct tiler_int64 cut;
    struct tiler_int64 room;
    struct tiler_int64_2 table_at;
    struct tiler_uint64_3 cells;
    struct tiler_uint64_3 keys;
};
struct tiler_backends_frontier_halves_kernel_graph_lead_on_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_halves_kernel_graph_lead_on_Exchange {
    struct tiler_uint64 word;
    struct tiler_int32 target;
    struct tiler_int64 source;
    struct tiler_int64 owner;
    struct tiler_int64 first;
    struct tiler_int64_2 filled;
    struct tiler_int64_2 quota;
    struct tiler_int64_2 wanting;
    struct tiler_int64_2 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_lead_on(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_lead_on_WordRules *rules,
    const struct tiler_backends_frontier_halves_kernel_graph_lead_on_WordMaps *maps,
    const struct tiler_backends_frontier_halves_kernel_graph_lead_on_WordProfiles *found,
    const struct tiler_backends_frontier_halves_kernel_graph_lead_on_Exchange *exchange,
    int64_t position,
    int64_t maker,
    int64_t budget
);

/* tiler.backends.frontier.halves.kernel_graph.enter */
struct tiler_backends_frontier_halves_kernel_graph_enter_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_halves_kernel_graph_enter_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_halves_kernel_graph_enter_Exchange {
    struct tiler_uint64 word;
    struct tiler_int32 target;
    struct tiler_int64 source;
    struct tiler_int64 owner;
    struct tiler_int64 first;
    struct tiler_int64_2 filled;
    struct tiler_int64_2 quota;
    struct tiler_int64_2 wanting;
    struct tiler_int64_2 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_enter(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_enter_WordRules *rules,
    const struct tiler_backends_frontier_halves_kernel_graph_enter_WordProfiles *found,
    const struct tiler_backends_frontier_halves_kernel_graph_enter_Exchange *exchange,
    int64_t taker
);

/* tiler.backends.frontier.halves.kernel_graph.enter_anew */
struct tiler_backends_frontier_halves_kernel_graph_enter_anew_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_enter_anew(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_enter_anew_WordProfiles *found,
    int64_t start,
    int64_t stop
);

/* tiler.backends.frontier.halves.kernel_graph.revive */
struct tiler_backends_frontier_halves_kernel_graph_revive_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_revive(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_revive_WordProfiles *found,
    int64_t owner,
    int64_t threads,
    int64_t start,
    int64_t stop,
    const struct tiler_boolean *alive
);

/* tiler.backends.frontier.halves.kernel_graph.count */
struct tiler_backends_frontier_halves_kernel_graph_count_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_count(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_count_WordProfiles *found,
    int64_t owner,
    int64_t threads,
    const struct tiler_boolean *alive,
    int64_t start,
    int64_t stop,
    const struct tiler_int64 *counts
);

/* tiler.backends.frontier.halves.kernel_graph.number */
struct tiler_backends_frontier_halves_kernel_graph_number_WordRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64 fit_masks;
    struct tiler_boolean possible;
    struct tiler_uint64 shifts;
    struct tiler_uint64_2 beside;
    struct tiler_uint64 leaving;
    struct tiler_uint64 inside;
    int64_t key_bits;
    struct tiler_uint64 units;
    struct tiler_uint64 fields;
    struct tiler_uint64 mosts;
    struct tiler_boolean stays;
    struct tiler_int64_2 lower;
};
struct tiler_backends_frontier_halves_kernel_graph_number_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_number(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_number_WordRules *rules,
    const struct tiler_backends_frontier_halves_kernel_graph_number_WordProfiles *found,
    int64_t owner,
    int64_t threads,
    const struct tiler_boolean *alive,
    int64_t start,
    int64_t stop,
    const struct tiler_int64 *ends,
    const struct tiler_int32 *numbers,
    const struct tiler_int64 *covered
);

/* tiler.backends.frontier.halves.kernel_graph.count_edges */
struct tiler_backends_frontier_halves_kernel_graph_count_edges_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_count_edges(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_count_edges_WordProfiles *found,
    int64_t owner,
    int64_t threads,
    const struct tiler_int32 *numbers,
    int64_t start,
    int64_t stop,
    const struct tiler_int64 *out_of,
    const struct tiler_int64 *into
);

/* tiler.backends.frontier.halves.kernel_graph.put_edges */
struct tiler_backends_frontier_halves_kernel_graph_put_edges_WordProfiles {
    struct tiler_uint64 words;
    struct tiler_int32 positions;
    struct tiler_int32 before;
    struct tiler_int32 last;
    struct tiler_int64 counts;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_halves_kernel_graph_put_edges(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_graph_put_edges_WordProfiles *found,
    int64_t owner,
    int64_t threads,
    const struct tiler_int32 *numbers,
    const struct tiler_int32 *fit_tile,
    int64_t tiles,
    int64_t symmetries,
    int64_t start,
    int64_t stop,
    const struct tiler_int64 *out_of,
    const struct tiler_int64 *into,
    const struct tiler_int32_2 *outgoing,
    const struct tiler_int32_2 *incoming
);

/* tiler.backends.frontier.halves.kernel_halves.weigh */
struct tiler_backends_frontier_halves_kernel_halves_weigh_Edges {
    struct tiler_int64 starts;
    struct tiler_int32_2 edges;
    struct tiler_int64 classes;
    int64_t backwards;
};
struct tiler_backends_frontier_halves_kernel_halves_weigh_SideLists {
    struct tiler_int64_2 spans;
    struct tiler_uint32 keys;
    struct tiler_uint32_2 ways;
    int64_t wanted;
    int64_t laid;
    struct tiler_int32 left;
};
int32_t tiler_backends_frontier_halves_kernel_halves_weigh(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_halves_weigh_Edges *edges,
    const struct tiler_backends_frontier_halves_kernel_halves_weigh_SideLists *lists,
    int64_t start,
    int64_t stop,
    const struct tiler_int64 *weights
);

/* tiler.backends.frontier.halves.kernel_halves.merge */
struct tiler_backends_frontier_halves_kernel_halves_merge_Edges {
    struct tiler_int64 starts;
    struct tiler_int32_2 edges;
    struct tiler_int64 classes;
    int64_t backwards;
};
struct tiler_backends_frontier_halves_kernel_halves_merge_Keys {
    int64_t low_bits;
    struct tiler_uint32_2 high;
    struct tiler_uint32 low;
    struct tiler_uint32 keys;
    struct tiler_int64 first;
    struct tiler_uint64_2 changes;
    struct tiler_uint32_2 high_images;
    struct tiler_uint32_2 low_images;
};
struct tiler_backends_frontier_halves_kernel_halves_merge_SideLists {
    struct tiler_int64_2 spans;
    struct tiler_uint32 keys;
    struct tiler_uint32_2 ways;
    int64_t wanted;
    int64_t laid;
    struct tiler_int32 left;
};
struct tiler_backends_frontier_halves_kernel_halves_merge_Sums {
    struct tiler_uint64_2 totals;
    struct tiler_uint64 met;
    struct tiler_uint64 products;
};
int32_t tiler_backends_frontier_halves_kernel_halves_merge(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_halves_merge_Edges *edges,
    const struct tiler_backends_frontier_halves_kernel_halves_merge_Keys *keys,
    const struct tiler_backends_frontier_halves_kernel_halves_merge_SideLists *lists,
    const struct tiler_backends_frontier_halves_kernel_halves_merge_Sums *sums,
    const struct tiler_int64 *state,
    int64_t start,
    int64_t stop,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.halves.kernel_halves.join */
struct tiler_backends_frontier_halves_kernel_halves_join_Edges {
    struct tiler_int64 starts;
    struct tiler_int32_2 edges;
    struct tiler_int64 classes;
    int64_t backwards;
};
struct tiler_backends_frontier_halves_kernel_halves_join_Keys {
    int64_t low_bits;
    struct tiler_uint32_2 high;
    struct tiler_uint32 low;
    struct tiler_uint32 keys;
    struct tiler_int64 first;
    struct tiler_uint64_2 changes;
    struct tiler_uint32_2 high_images;
    struct tiler_uint32_2 low_images;
};
struct tiler_backends_frontier_halves_kernel_halves_join_SideLists {
    struct tiler_int64_2 spans;
    struct tiler_uint32 keys;
    struct tiler_uint32_2 ways;
    int64_t wanted;
    int64_t laid;
    struct tiler_int32 left;
};
struct tiler_backends_frontier_halves_kernel_halves_join_Sums {
    struct tiler_uint64_2 totals;
    struct tiler_uint64 met;
    struct tiler_uint64 products;
};
int32_t tiler_backends_frontier_halves_kernel_halves_join(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_halves_join_Edges *edges,
    const struct tiler_backends_frontier_halves_kernel_halves_join_Keys *keys,
    const struct tiler_backends_frontier_halves_kernel_halves_join_SideLists *forth,
    const struct tiler_backends_frontier_halves_kernel_halves_join_SideLists *back,
    const struct tiler_backends_frontier_halves_kernel_halves_join_Sums *sums,
    const struct tiler_int64 *state,
    int64_t cut,
    int64_t start,
    int64_t stop,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.halves.kernel_halves.farthest */
struct tiler_backends_frontier_halves_kernel_halves_farthest_Edges {
    struct tiler_int64 starts;
    struct tiler_int32_2 edges;
    struct tiler_int64 classes;
    int64_t backwards;
};
int32_t tiler_backends_frontier_halves_kernel_halves_farthest(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_halves_kernel_halves_farthest_Edges *edges,
    int64_t start,
    int64_t stop,
    int64_t step,
    int64_t least,
    const struct tiler_int32 *left
);

/* tiler.backends.frontier.lists.kernel_layers.gather */
struct tiler_backends_frontier_lists_kernel_layers_gather_WideRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64_2 fit_masks;
    struct tiler_int32 fit_tile;
    struct tiler_int64 around_starts;
    struct tiler_int32 around;
    struct tiler_boolean possible;
    struct tiler_int64_2 counters;
    struct tiler_int32 owing;
    int64_t key_words;
};
struct tiler_backends_frontier_lists_kernel_layers_gather_WordMaps {
    struct tiler_int64 cut;
    struct tiler_int64 room;
    struct tiler_int64_2 table_at;
    struct tiler_uint64_3 cells;
    struct tiler_uint64_3 keys;
};
struct tiler_backends_frontier_lists_kernel_layers_gather_WideProfiles {
    struct tiler_uint64_2 masks;
    struct tiler_int32_2 links;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_lists_kernel_layers_gather_StateLists {
    struct tiler_int32 last_at;
    struct tiler_int64_2 spans;
    struct tiler_uint64_2 rows;
};
struct tiler_backends_frontier_lists_kernel_layers_gather_Merging {
    struct tiler_int32 slots;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_lists_kernel_layers_gather(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_lists_kernel_layers_gather_WideRules *rules,
    const struct tiler_backends_frontier_lists_kernel_layers_gather_WordMaps *maps,
    const struct tiler_backends_frontier_lists_kernel_layers_gather_WideProfiles *profiles,
    const struct tiler_backends_frontier_lists_kernel_layers_gather_StateLists *lists,
    const struct tiler_backends_frontier_lists_kernel_layers_gather_Merging *merging,
    const struct tiler_uint64_2 *into,
    const struct tiler_int32 *here,
    int64_t start,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.lists.kernel_layers.listed */
struct tiler_backends_frontier_lists_kernel_layers_listed_WideProfiles {
    struct tiler_uint64_2 masks;
    struct tiler_int32_2 links;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_lists_kernel_layers_listed(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_lists_kernel_layers_listed_WideProfiles *profiles,
    int64_t last,
    const struct tiler_int32 *found
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.lists.kernel_layers.incoming */
struct tiler_backends_frontier_lists_kernel_layers_incoming_WideProfiles {
    struct tiler_uint64_2 masks;
    struct tiler_int32_2 links;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_lists_kernel_layers_incoming_StateLists {
    struct tiler_int32 last_at;
    struct tiler_int64_2 spans;
    struct tiler_uint64_2 rows;
};
int32_t tiler_backends_frontier_lists_kernel_layers_incoming(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_lists_kernel_layers_incoming_WideProfiles *profiles,
    const struct tiler_backends_frontier_lists_kernel_layers_incoming_StateLists *lists,
    const struct tiler_int32 *here,
    const struct tiler_int64 *sums
);

/* tiler.backends.frontier.lists.kernel_layers.put */
struct tiler_backends_frontier_lists_kernel_layers_put_StateLists {
    struct tiler_int32 last_at;
    struct tiler_int64_2 spans;
    struct tiler_uint64_2 rows;
};
int32_t tiler_backends_frontier_lists_kernel_layers_put(
    uint64_t outcome[2],
    const struct tiler_uint64_2 *made,
    int64_t count,
    const struct tiler_backends_frontier_lists_kernel_layers_put_StateLists *lists,
    int64_t at,
    const struct tiler_int32 *here,
    int64_t start,
    int64_t stop,
    int64_t step
);

/* tiler.backends.frontier.lists.kernel_layers.move_down */
int32_t tiler_backends_frontier_lists_kernel_layers_move_down(
    uint64_t outcome[2],
    const struct tiler_uint64_2 *rows,
    int64_t start,
    int64_t stop,
    int64_t step
);

/* tiler.backends.frontier.lists.kernel_layers.widen */
int32_t tiler_backends_frontier_lists_kernel_layers_widen(
    uint64_t outcome[2],
    const struct tiler_uint64_2 *rows,
    int64_t start,
    int64_t stop,
    int64_t width
);

/* tiler.backends.frontier.shared.kernel_search.copy_failed */
int32_t tiler_backends_frontier_shared_kernel_search_copy_failed(
    uint64_t outcome[2],
    const struct tiler_uint64_2 *failed,
    int64_t start,
    int64_t stop,
    int64_t words,
    const struct tiler_uint64_2 *into
);

/* tiler.backends.frontier.shared.kernel_search.search */
struct tiler_backends_frontier_shared_kernel_search_search_WideRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64_2 fit_masks;
    struct tiler_int32 fit_tile;
    struct tiler_int64 around_starts;
    struct tiler_int32 around;
    struct tiler_boolean possible;
    struct tiler_int64_2 counters;
    struct tiler_int32 owing;
    int64_t key_words;
};
struct tiler_backends_frontier_shared_kernel_search_search_WordMaps {
    struct tiler_int64 cut;
    struct tiler_int64 room;
    struct tiler_int64_2 table_at;
    struct tiler_uint64_3 cells;
    struct tiler_uint64_3 keys;
};
struct tiler_backends_frontier_shared_kernel_search_search_WideProfiles {
    struct tiler_uint64_2 masks;
    struct tiler_int32_2 links;
    struct tiler_int32 table;
    struct tiler_int32_2 edges;
    struct tiler_int64 state;
};
struct tiler_backends_frontier_shared_kernel_search_search_Judging {
    struct tiler_uint64 fresh;
    struct tiler_int32 queue;
    struct tiler_int64 seen;
    struct tiler_int64 floods;
};
struct tiler_backends_frontier_shared_kernel_search_search_Descent {
    struct tiler_uint64_2 failed;
    struct tiler_int64_2 stack;
    struct tiler_uint64_2 keys;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_shared_kernel_search_search(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_shared_kernel_search_search_WideRules *rules,
    const struct tiler_backends_frontier_shared_kernel_search_search_WordMaps *maps,
    const struct tiler_backends_frontier_shared_kernel_search_search_WideProfiles *profiles,
    const struct tiler_backends_frontier_shared_kernel_search_search_Judging *judging,
    const struct tiler_backends_frontier_shared_kernel_search_search_Descent *descent,
    int64_t budget,
    int64_t stop_at_solutions,
    int64_t remembers
); /* outcome[0]: int64_t */

/* tiler.backends.frontier.tables.kernel_forecast.push */
struct tiler_backends_frontier_tables_kernel_forecast_push_WideRules {
    struct tiler_int64 fit_starts;
    struct tiler_uint64_2 fit_masks;
    struct tiler_int32 fit_tile;
    struct tiler_int64 around_starts;
    struct tiler_int32 around;
    struct tiler_boolean possible;
    struct tiler_int64_2 counters;
    struct tiler_int32 owing;
    int64_t key_words;
};
struct tiler_backends_frontier_tables_kernel_forecast_push_Judging {
    struct tiler_uint64 fresh;
    struct tiler_int32 queue;
    struct tiler_int64 seen;
    struct tiler_int64 floods;
};
struct tiler_backends_frontier_tables_kernel_forecast_push_Fitting {
    struct tiler_uint64_2 mask;
    struct tiler_int64 laid;
    struct tiler_uint64_2 places;
    struct tiler_int64 rests;
};
struct tiler_backends_frontier_tables_kernel_forecast_push_Pushed {
    struct tiler_uint64_2 out;
    struct tiler_int64 state;
};
int32_t tiler_backends_frontier_tables_kernel_forecast_push(
    uint64_t outcome[2],
    const struct tiler_backends_frontier_tables_kernel_forecast_push_WideRules *rules,
    const struct tiler_backends_frontier_tables_kernel_forecast_push_Judging *judging,
    const struct tiler_backends_frontier_tables_kernel_forecast_push_Fitting *fitting,
    const struct tiler_backends_frontier_tables_kernel_forecast_push_Pushed *pushed,
    const struct tiler_uint64_2 *records,
    int64_t start,
    int64_t stop,
    int64_t position
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_match.begin */
struct tiler_backends_matching_kernel_match_begin_MatchingGraph {
    struct tiler_int64 starts;
    struct tiler_int32 others;
    struct tiler_uint8 may_open;
};
struct tiler_backends_matching_kernel_match_begin_MatchingState {
    struct tiler_int32 mate;
    struct tiler_int32 left;
    struct tiler_int32 parent;
    struct tiler_int32 base;
    struct tiler_uint8 label;
    struct tiler_int64 mark;
    struct tiler_int32 queue;
    struct tiler_int32 seen;
    struct tiler_int32 roots;
    struct tiler_int64 counters;
};
int32_t tiler_backends_matching_kernel_match_begin(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_match_begin_MatchingGraph *graph,
    const struct tiler_backends_matching_kernel_match_begin_MatchingState *state,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_match.grow */
struct tiler_backends_matching_kernel_match_grow_MatchingGraph {
    struct tiler_int64 starts;
    struct tiler_int32 others;
    struct tiler_uint8 may_open;
};
struct tiler_backends_matching_kernel_match_grow_MatchingState {
    struct tiler_int32 mate;
    struct tiler_int32 left;
    struct tiler_int32 parent;
    struct tiler_int32 base;
    struct tiler_uint8 label;
    struct tiler_int64 mark;
    struct tiler_int32 queue;
    struct tiler_int32 seen;
    struct tiler_int32 roots;
    struct tiler_int64 counters;
};
int32_t tiler_backends_matching_kernel_match_grow(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_match_grow_MatchingGraph *graph,
    const struct tiler_backends_matching_kernel_match_grow_MatchingState *state,
    int64_t open_too,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_pivots.eliminate */
struct tiler_backends_matching_kernel_pivots_eliminate_Pattern {
    struct tiler_int64 starts;
    struct tiler_int32 columns;
    struct tiler_int64 before_starts;
    struct tiler_int32 before;
    struct tiler_int64 own_starts;
    struct tiler_int32 own;
};
struct tiler_backends_matching_kernel_pivots_eliminate_Values {
    struct tiler_int64 own;
    struct tiler_int64 upper;
    struct tiler_int64 lower;
    struct tiler_int64 inverted;
    struct tiler_int64 pivots;
    struct tiler_int64 sums;
    struct tiler_int64 more;
    struct tiler_int64 beyond;
    struct tiler_int64 below;
    struct tiler_int64 middle;
    struct tiler_int64_2 left;
    struct tiler_int64 counters;
};
int32_t tiler_backends_matching_kernel_pivots_eliminate(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_pivots_eliminate_Pattern *pattern,
    const struct tiler_backends_matching_kernel_pivots_eliminate_Values *values,
    int64_t prime,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_pivots.pfaffian */
struct tiler_backends_matching_kernel_pivots_pfaffian_Dense {
    struct tiler_int64_2 matrix;
    struct tiler_int64 progress;
};
int32_t tiler_backends_matching_kernel_pivots_pfaffian(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_pivots_pfaffian_Dense *dense,
    int64_t prime,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_pivots.invert */
struct tiler_backends_matching_kernel_pivots_invert_Pattern {
    struct tiler_int64 starts;
    struct tiler_int32 columns;
    struct tiler_int64 before_starts;
    struct tiler_int32 before;
    struct tiler_int64 own_starts;
    struct tiler_int32 own;
};
struct tiler_backends_matching_kernel_pivots_invert_Values {
    struct tiler_int64 own;
    struct tiler_int64 upper;
    struct tiler_int64 lower;
    struct tiler_int64 inverted;
    struct tiler_int64 pivots;
    struct tiler_int64 sums;
    struct tiler_int64 more;
    struct tiler_int64 beyond;
    struct tiler_int64 below;
    struct tiler_int64 middle;
    struct tiler_int64_2 left;
    struct tiler_int64 counters;
};
int32_t tiler_backends_matching_kernel_pivots_invert(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_pivots_invert_Pattern *pattern,
    const struct tiler_backends_matching_kernel_pivots_invert_Values *values,
    const struct tiler_int64 *transposed,
    int64_t times,
    int64_t prime,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_random_matchings.shuffle */
struct tiler_backends_matching_kernel_random_matchings_shuffle_Diamond {
    struct tiler_uint8 ways;
    struct tiler_uint8 covered;
};
int32_t tiler_backends_matching_kernel_random_matchings_shuffle(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_random_matchings_shuffle_Diamond *old,
    const struct tiler_backends_matching_kernel_random_matchings_shuffle_Diamond *new,
    int64_t order,
    const struct tiler_uint64 *coins
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_random_matchings.settle */
struct tiler_backends_matching_kernel_random_matchings_settle_Faces {
    struct tiler_int64 starts;
    struct tiler_int32 edges;
};
int32_t tiler_backends_matching_kernel_random_matchings_settle(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_random_matchings_settle_Faces *faces,
    const struct tiler_uint8 *matched,
    int64_t up,
    int64_t sweeps
); /* outcome[0]: int64_t */

/* tiler.backends.matching.kernel_random_matchings.sweep */
struct tiler_backends_matching_kernel_random_matchings_sweep_Faces {
    struct tiler_int64 starts;
    struct tiler_int32 edges;
};
int32_t tiler_backends_matching_kernel_random_matchings_sweep(
    uint64_t outcome[2],
    const struct tiler_backends_matching_kernel_random_matchings_sweep_Faces *faces,
    const struct tiler_uint8 *high,
    const struct tiler_uint8 *low,
    const struct tiler_uint64 *coins,
    int64_t sweeps
); /* outcome[0]: int64_t */

/* tiler.backends.sat.checking.kernel.follow */
struct tiler_backends_sat_checking_kernel_follow_ClauseProof {
    struct tiler_int64 starts;
    struct tiler_int32 steps;
    struct tiler_uint8 kinds;
};
struct tiler_backends_sat_checking_kernel_follow_CheckingState {
    struct tiler_int32 literals;
    struct tiler_int32 next;
    struct tiler_int32 first;
    struct tiler_uint8 truth;
    struct tiler_int32 trail;
    struct tiler_uint8 deleted;
    struct tiler_int64 at;
};
int32_t tiler_backends_sat_checking_kernel_follow(
    uint64_t outcome[2],
    const struct tiler_backends_sat_checking_kernel_follow_ClauseProof *proof,
    const struct tiler_backends_sat_checking_kernel_follow_CheckingState *state,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.cover.kernel.leaves_possible_regions */
struct tiler_cover_kernel_leaves_possible_regions_Options {
    struct tiler_int64 starts;
    struct tiler_int32 members;
    struct tiler_int32 tile;
};
struct tiler_cover_kernel_leaves_possible_regions_OpenBoard {
    struct tiler_int64 starts;
    struct tiler_int32 neighbours;
    struct tiler_boolean_2 possible;
    struct tiler_boolean filled;
};
struct tiler_cover_kernel_leaves_possible_regions_Regions {
    struct tiler_int32 region;
    struct tiler_int64 size;
    struct tiler_int64 impossible;
    struct tiler_int32 met;
    struct tiler_int32 side;
    struct tiler_int32 queue;
    struct tiler_int32 parent;
    struct tiler_int32 joined;
    struct tiler_int32 pending;
};
int32_t tiler_cover_kernel_leaves_possible_regions(
    uint64_t outcome[2],
    const struct tiler_cover_kernel_leaves_possible_regions_Options *placed,
    const struct tiler_cover_kernel_leaves_possible_regions_OpenBoard *around,
    const struct tiler_cover_kernel_leaves_possible_regions_Regions *regions,
    const struct tiler_boolean *alive,
    const struct tiler_boolean *keep,
    int64_t first,
    int64_t budget
); /* outcome[0]: int64_t */

/* tiler.cover.kernel.leaves_something_everywhere */
struct tiler_cover_kernel_leaves_something_everywhere_Options {
    struct tiler_int64 starts;
    struct tiler_int32 members;
    struct tiler_int32 tile;
};
struct tiler_cover_kernel_leaves_something_everywhere_Choices {
    struct tiler_int64 by_cell_starts;
    struct tiler_int32 by_cell;
    struct tiler_int64 by_tile_starts;
    struct tiler_int32 by_tile;
    struct tiler_int64 lower;
    struct tiler_int64 upper;
};
struct tiler_cover_kernel_leaves_something_everywhere_ItemColours {
    struct tiler_int64 starts;
    struct tiler_int32 items;
    struct tiler_int32 colours;
    struct tiler_int64 by_item_starts;
    struct tiler_int32 by_item;
    struct tiler_int32 colour_by_item;
};
struct tiler_cover_kernel_leaves_something_everywhere_Losses {
    struct tiler_int32 met;
    struct tiler_int32 gone;
    struct tiler_int64 of_cell;
    struct tiler_int64 of_tile;
};
int32_t tiler_cover_kernel_leaves_something_everywhere(
    uint64_t outcome[2],
    const struct tiler_cover_kernel_leaves_something_everywhere_Options *placed,
    const struct tiler_cover_kernel_leaves_something_everywhere_Choices *choices,
    const struct tiler_cover_kernel_leaves_something_everywhere_ItemColours *shades,
    const struct tiler_cover_kernel_leaves_something_everywhere_Losses *losses,
    const struct tiler_boolean *keep,
    int64_t first,
    int64_t budget
); /* outcome[0]: int64_t */

#endif
