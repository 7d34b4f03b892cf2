"""MusicXML 4.0 (w3.org/2021/06/musicxml40) read and written.

Own code, since the score here is already what MusicXML says, and since a reader must tell what it leaves out: partitura
(Apache-2.0) and music21 (BSD-3) drop it without a word and take scipy and 25 MB, verovio turns MusicXML into MIDI and
loses bars, words and chord names.
"""
