"""The work of the server music.

`song` holds what is heard (notes at ticks), `score` what is written (bars, rests, ties, repeats). Files become one of
them (`midi_files`, `abc`); `performing` makes a song of a score and `notation` a score of a song; `musicxml`,
`abc.writing` and `engraving` write a score. Music is small: all of it is held in memory, within the limits of `song`.
"""
