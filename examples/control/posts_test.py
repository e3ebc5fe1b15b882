"""Tests of an application in Python, each with the data that it needs.

    npx conformance serve --data data.json --control --exec 'python3 posts_test.py'
"""

import json
import os
import unittest
from urllib.request import Request, urlopen

API = os.environ["API_URL"]
CONTROL = os.environ["CONTROL_URL"]


def send(url, body=None, token="", method="POST"):
    data = None if method == "GET" else json.dumps(body or {}).encode()
    headers = {"Content-Type": "application/json", "Authorization": token}
    with urlopen(Request(url, data, headers, method=method)) as response:
        text = response.read()
        return json.loads(text) if text else None


class Posts(unittest.TestCase):
    def setUp(self):
        send(f"{CONTROL}/reset")

    def test_lists_what_is_there(self):
        send(f"{CONTROL}/records", {"posts": [{"title": "First"}, {"title": "Second"}]})
        posts = send(f"{API}/collections/posts/records", method="GET")
        self.assertEqual([post["title"] for post in posts["items"]], ["First", "Second"])

    def test_only_members_post(self):
        token = send(f"{CONTROL}/token", {"table": "users", "email": "ann@example.com"})["token"]
        post = send(f"{API}/collections/posts/records", {"title": "Third"}, token)
        self.assertEqual(post["title"], "Third")

    def test_a_link_of_an_email_expires(self):
        send(f"{API}/collections/users/request-password-reset", {"email": "ann@example.com"})
        mail = send(f"{CONTROL}/mail?to=ann@example.com&wait=5000", method="GET")["mails"][-1]
        send(f"{CONTROL}/clock", {"advance": "1d"})
        new = {"token": mail["token"], "password": "other-secret", "passwordConfirm": "other-secret"}
        with self.assertRaisesRegex(OSError, "400"):
            send(f"{API}/collections/users/confirm-password-reset", new)


unittest.main()
