"""Find the options that dancing links rule out because they give an item another colour."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.cover.coloured_items import ColouredItems
from tiler.process.cancellation import StopCheck

_NOTHING, _NO_WORDS, _NO_BITS = np.zeros(0, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.uint64)


class ColourConflicts(NamedTuple):
    """Lists of options that disagree about the colour of an item. A colour that several options give the item has a list of its
    own: the options that give it another colour. All colours that only one option gives share one list, of all options that
    colour the item: it may contain the option placed, which is ruled out in any case."""

    starts: NDArray[np.int64]  #: (options + 1,), of length 1 if no item has colours
    lists: NDArray[np.int64]  #: for each option, the lists of options that it rules out
    shared: NDArray[np.int64]  #: (lists,): the coloured item that it is about
    shades: int  #: the number of lists about a colour that several options give; they come first
    words: tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint64]]  #: where the words of each begin, which, their bits

    @classmethod
    def of(cls, coloured: ColouredItems | None, origin: NDArray[np.int64], check_stop: StopCheck) -> ColourConflicts:
        """The rivals of options that have new numbers; `origin` has their numbers in the cover."""
        if coloured is None or coloured.binding is None:
            return cls(np.zeros(1, np.int64), _NOTHING, _NOTHING, 0, (np.zeros(1, np.int64), _NO_WORDS, _NO_BITS))
        coloured = coloured.binding
        sizes = np.diff(coloured.given.starts)[origin]
        at = portable.ranges(coloured.given.starts[origin], sizes)
        item, option = coloured.given.values[at].astype(np.int64), portable.repeat(portable.arange(len(origin)), sizes)
        _, key, uses = np.unique(
            item * (len(coloured.colours) + 1) + coloured.colour[at], return_inverse=True, return_counts=True
        )
        item_of = np.zeros(len(uses), np.int64)
        item_of[key] = item
        is_shared = uses > 1
        shades = int(is_shared.sum())
        lone_items, lone = np.unique(item_of[~is_shared], return_inverse=True)
        list_of = np.empty(len(uses), np.int64)
        list_of[is_shared], list_of[~is_shared] = portable.arange(shades), shades + lone
        shared = np.concatenate([item_of[is_shared], lone_items])
        # The options of each item, then of each list, in words.
        all_starts, all_word, all_mask = _listed(item, option, len(coloured.items))
        own_starts, own_word, own_mask = _listed(list_of[key], option, len(shared))
        counts, found = [0], []
        for number, about in enumerate(shared.tolist()):
            check_stop()
            every = slice(all_starts[about], all_starts[about + 1])
            word, mask = all_word[every], all_mask[every]
            if number < shades:
                own = slice(own_starts[number], own_starts[number + 1])
                mask = mask.copy()
                mask[np.searchsorted(word, own_word[own])] ^= own_mask[own]
                word, mask = word[mask != 0], mask[mask != 0]
            counts.append(len(word))
            found.append((word, mask))
        word, mask = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        return cls(portable.starts_of(sizes), list_of[key], shared, shades, (portable.cumsum(counts), word, mask))


def in_words(
    key: NDArray[np.integer[Any]], option: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.integer[Any]], NDArray[np.uint32], NDArray[np.uint64]]:
    """Write options as bits of words. The options are sorted by their keys, and ascending within a key. Returns three arrays: the
    key of each word, which word of the options it is, and its bits."""
    word = option >> 6
    begins = np.flatnonzero(np.append(True, (key[1:] != key[:-1]) | (word[1:] != word[:-1])))
    mask = portable.reduceat(np.bitwise_or, np.uint64(1) << (option & 63).astype(np.uint64), begins)
    return key[begins], word[begins].astype(np.uint32), mask


def _listed(
    key: NDArray[np.int64], option: NDArray[np.int64], number: int
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint64]]:
    """Write the options of each key up to a number as bits. Returns three arrays: where the words of each key begin, which words
    they are, and their bits."""
    order = np.lexsort((option, key))
    keys, word, mask = in_words(key[order], option[order])
    return np.searchsorted(keys, portable.arange(number + 1)), word, mask
