"""The process that runs a stranger's network: it gives up everything that it does not need, then reads the file.

Started by `envsuite.submissions.sandbox` as ``python -I`` with an empty environment, an empty working folder and no
files open but its three pipes. Before the first byte of a stranger is read:

- *network namespace*: where the kernel permits, the process has a network of its own, without any device.
- *limits*: address space, processor time, size of written files (0), number of open files (0 more), core dumps (0).
- *system calls*: on Linux with x86-64 or AArch64 a seccomp filter refuses every call but reading and writing of open
  pipes, memory, clocks, signals to itself and the end of the process; none of those opens a file, a socket or a
  process, or reaches another one.
- *audit hook*: Python itself refuses to open, connect, load, start or remove anything.

The hello message names those that were set up. The filter binds machine code as well; the hook binds Python code only.
Messages, in both directions, are 4 bytes of length and a JSON object, then as many raw bytes as its ``bytes`` says.
"""

import ctypes
import json
import os
import platform
import struct
import sys
from io import FileIO
from typing import Any

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2  # linux/prctl.h, linux/seccomp.h
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06  # linux/bpf_common.h
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050001  # linux/seccomp.h; refuse with EPERM

# Names: read write close fstat lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn sched_yield
# mremap madvise nanosleep getpid exit getrusage gettid futex restart_syscall clock_gettime clock_nanosleep exit_group
# getrandom membarrier rseq sigaltstack; then, for the own process only, tgkill sched_getaffinity
_CALLS = {
    "x86_64": (
        0xC000003E,
        (0, 1, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 28, 35, 39, 60, 98, 186, 202, 219, 228, 230, 231, 318, 324,
         334, 131),
        (234, 204),
    ),
    "aarch64": (
        0xC00000B7,
        (63, 64, 57, 80, 62, 222, 226, 215, 214, 134, 135, 139, 124, 216, 233, 101, 172, 93, 165, 178, 98, 128, 113,
         115, 94, 278, 283, 293, 132),
        (131, 123),
    ),
}  # fmt: skip
"""AUDIT_ARCH, numbers of the allowed system calls, and of those allowed for the own process only, by machine."""

_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # where they stand in struct seccomp_data, low half first

_FORBIDDEN_EVENTS = (
    "open", "os.", "socket.", "subprocess.", "shutil.", "tempfile.", "ctypes.", "import", "exec", "compile",
    "code.__new__", "mmap.", "fcntl.", "pty.", "signal.", "sqlite3.", "urllib.", "http.", "ftplib.", "smtplib.",
    "glob.", "marshal.",
    "pickle.", "resource.", "syslog.", "webbrowser.", "builtins.input", "cpython.", "gc.", "winreg.", "msvcrt.",
)  # fmt: skip

MAX_HEADER = 1 << 20


def own_network() -> bool:
    """Move to a network without devices; before any thread is started. Whether the kernel permitted it."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0


def set_limits(memory: int, seconds: int) -> str:
    """Limit resources for good. What was limited, for the hello message; empty where the system has no limits.

    Args:
        memory: bytes beyond what the process has now.
        seconds: processor time beyond what it has used.
    """
    try:
        import resource
    except ImportError:
        return ""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    processor = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    present = address_space()
    if present:
        resource.setrlimit(resource.RLIMIT_AS, (present + memory, present + memory))
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_NOFILE):
        resource.setrlimit(limit, (0, 0))
    resource.setrlimit(
        resource.RLIMIT_CPU, (processor, processor + 1)
    )  # at the first a signal that tells, then the end
    return "limits" if present else "limits but for memory"


def address_space() -> int:
    """Bytes of address space in use; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def filter_calls() -> bool:
    """Let the kernel refuse all but a few system calls for good. Whether it could be asked to."""
    if not sys.platform.startswith("linux") or platform.machine() not in _CALLS or sys.maxsize < 1 << 32:
        return False
    architecture, calls, own = _CALLS[platform.machine()]

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]

    # load the architecture; load the number; compare it with each allowed one; refuse; allow
    steps = [(_LOAD, 0, 0, _ARCHITECTURE), (_JUMP_IF_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    steps += [(_LOAD, 0, 0, _NUMBER)]
    for number in own:  # these name a process, first of all: 0 or the own one is allowed
        steps += [(_JUMP_IF_EQUAL, 0, 5, number), (_LOAD, 0, 0, _FIRST_ARGUMENT), (_JUMP_IF_EQUAL, 2, 0, 0)]
        steps += [(_JUMP_IF_EQUAL, 1, 0, os.getpid()), (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]
    steps += [(_JUMP_IF_EQUAL, len(calls) - k, 0, number) for k, number in enumerate(calls)]
    steps += [(_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = Program(len(steps), ctypes.cast(code, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) == 0


def refuse_events() -> bool:
    """Let Python refuse whatever reaches outside. Always True."""
    forbidden = _FORBIDDEN_EVENTS

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(forbidden):
            raise PermissionError(f"{event} is not allowed here")

    sys.addaudithook(hook)
    return True


def read_message(pipe: FileIO) -> tuple[dict[str, Any], bytearray]:
    """The next message.

    Raises:
        EOFError: there is none.
    """
    size = struct.unpack("<I", _read(pipe, 4))[0]
    header = json.loads(bytes(_read(pipe, size)))
    return header, _read(pipe, header["bytes"])


def _read(pipe: FileIO, size: int) -> bytearray:
    content = bytearray(size)
    view = memoryview(content)
    done = 0
    while done < size:
        count = pipe.readinto(view[done:])
        if not count:
            raise EOFError
        done += count
    return content


def message(header: dict[str, Any], body: bytes | memoryview = b"") -> bytes:
    """A message as bytes."""
    text = json.dumps({**header, "bytes": len(body)}).encode()
    return struct.pack("<I", len(text)) + text + bytes(body)


def main() -> None:
    """Serve one sandbox: shut the doors, then load networks and play them as asked."""
    guards = ["network namespace"] if own_network() else []
    import numpy as np

    from envsuite.agents.onnx.decode import decode
    from envsuite.agents.onnx.digest import network_digest
    from envsuite.agents.onnx.interface import Interface
    from envsuite.agents.onnx.policy import OnnxPolicy, warm_up
    from envsuite.agents.onnx.program import Program

    into, out = FileIO(0, "rb"), FileIO(1, "wb")

    def answer(header: dict[str, Any], body: bytes = b"") -> None:
        rest = memoryview(message(header, body))
        while rest:
            rest = rest[out.write(rest) or 0 :]

    settings, _ = read_message(into)
    warm_up()
    limited = set_limits(settings["memory"], settings["seconds"])
    guards += [limited] if limited else []
    guards += ["system calls"] if settings["filter"] and filter_calls() else []
    guards += ["audit hook"] if refuse_events() else []
    answer({"hello": guards})
    policy: OnnxPolicy | None = None
    while True:
        try:
            header, body = read_message(into)
        except EOFError:
            return
        except MemoryError:
            answer({"refused": "memory", "reason": "more memory than allowed"})
            return
        try:
            if header["do"] == "load":
                policy = None
                cut = header["graph"]
                program = Program(decode(bytes(body[:cut])))
                interface = Interface.from_json(body[cut:].decode())
                policy = OnnxPolicy(program, interface)
                digest = network_digest(program.model, interface)
                row = list(policy.observation_shape)
                answer({"parameters": program.model.parameters, "digest": digest, "row": row})
            elif policy is None:
                raise ValueError("no network is loaded")
            elif header["do"] == "reset":
                mask = np.frombuffer(body, np.bool_, header["slots"])
                policy.reset(mask, np.frombuffer(body, np.int64, offset=header["slots"]))
                answer({"ok": True})
            else:
                array = np.frombuffer(body, header["dtype"]).reshape(header["shape"])
                found = policy.act(array, array) if header["do"] == "act" else policy.probabilities(array)
                found = np.ascontiguousarray(found)
                answer({"dtype": found.dtype.str, "shape": found.shape}, found.tobytes())
        except MemoryError:
            answer({"refused": "memory", "reason": "more memory than allowed"})
        except ValueError as error:
            answer({"refused": "policy" if header["do"] == "load" else "output", "reason": str(error)[:500]})
        except Exception as error:  # a fault of the runner must not look like the end of the process
            answer({"refused": "crash", "reason": f"{type(error).__name__}: {error}"[:500]})


if __name__ == "__main__":
    main()
