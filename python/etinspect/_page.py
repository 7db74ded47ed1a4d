"""The page of `etinspect report` in notebooks."""

HEIGHT = 800  # pixels, in a notebook


class Page:
    """An HTML page about everything known of an Inspector's inputs, which needs no other file and no network.
    Inspector.save_page() writes it to a file."""

    def __init__(self, html):
        self.html = html

    def __str__(self):
        return self.html

    def __repr__(self):
        return f"<etinspect.Page: {len(self.html)} characters>"

    def _repr_html_(self):
        """Returns a frame, since the page has its own script and style."""
        from html import escape

        style = f"width: 100%; height: {HEIGHT}px; border: 0"
        return f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" style="{style}"></iframe>'
