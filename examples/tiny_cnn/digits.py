"""The images: digits of 5 x 7 dots on 8 x 8 pixels, as digits.c draws them."""

GLYPHS = [
    ".###. #...# #..## #.#.# ##..# #...# .###.",
    "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    ".###. #...# ....# ...#. ..#.. .#... #####",
    "##### ...#. ..#.. ...#. ....# #...# .###.",
    "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "##### #.... ####. ....# ....# #...# .###.",
    "..##. .#... #.... ####. #...# #...# .###.",
    "##### ....# ...#. ..#.. .#... .#... .#...",
    ".###. #...# #...# .###. #...# #...# .###.",
    ".###. #...# #...# .#### ....# ...#. .##..",
]


def draw(digit, variant):
    """Returns 64 pixels, row by row, from 0 to 127. The variant moves the digit and adds noise."""
    state = digit * 1000 + variant + 1
    pixels = []
    left, top = variant % 4, variant // 4 % 2
    rows = GLYPHS[digit].split()
    for y in range(8):
        for x in range(8):
            state = (state * 1664525 + 1013904223) % 2**32
            noise = state >> 27  # 0 to 31
            is_set = top <= y < top + 7 and left <= x < left + 5 and rows[y - top][x - left] == "#"
            pixels.append(96 + noise if is_set else noise)
    return pixels
