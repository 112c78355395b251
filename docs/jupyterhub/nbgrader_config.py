"""For everybody on the machine: /etc/jupyter/nbgrader_config.py."""

import getpass

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "binteach"
# Must be there, and everybody must be able to write into it.
c.Exchange.root = "/srv/nbgrader/exchange"
if getpass.getuser() == "lecturer":
    c.CourseDirectory.root = "/home/lecturer/course"
