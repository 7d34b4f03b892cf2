"""Work on the courses of a school, as the app `courses` of a world keeps them."""
