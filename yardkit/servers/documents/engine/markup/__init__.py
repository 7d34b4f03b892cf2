"""WordprocessingML without a document around it: names, text of paragraphs, anchors, tracked changes, table grids."""
