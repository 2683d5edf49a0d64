"""Receives what services tell systemd, and prints a line of JSON for each message."""

import json
import socket
import struct
import sys

receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
receiver.bind(sys.argv[1])
print(json.dumps({"pid": 0, "text": "READY"}), flush=True)
while True:
    data, extra, _, _ = receiver.recvmsg(65536, socket.CMSG_SPACE(12))
    pid, _, _ = struct.unpack("3i", extra[0][2])
    print(json.dumps({"pid": pid, "text": data.decode()}), flush=True)
