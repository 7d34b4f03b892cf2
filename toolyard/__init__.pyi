from toolyard.sandbox.episodes.episode import Episode as Episode
from toolyard.sandbox.episodes.episode import open_episode as open_episode
from toolyard.sandbox.episodes.replies import Reply as Reply
from toolyard.world import Problem as Problem
from toolyard.world import World as World
