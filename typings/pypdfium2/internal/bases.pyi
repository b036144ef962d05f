from collections.abc import Mapping

ObjectTracker: Mapping[type, set[object]]
