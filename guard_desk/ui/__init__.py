"""The window. The only package that imports Qt."""

from guard_desk.ui.singletons import keep_singletons

keep_singletons()
