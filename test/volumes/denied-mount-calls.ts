import { dlopen, ptr } from 'bun:ffi';

/**
 * Makes the system answer `errno` to the calls with these numbers, as a kernel that has none of them or a filter of a
 * container runtime does: by such a filter (seccomp(2)), which this process keeps. All of move_mount (429), fsopen (430),
 * fsconfig (431) and fsmount (432) by default.
 */
export function denyMountCalls(errno: number, first = 429, last = 432): void {
  const instructions = [
    // Load the number of the call, let pass what is below the first or above the last.
    [0x20, 0, 0, 0],
    [0x35, 0, 2, first],
    [0x25, 1, 0, last],
    [0x06, 0, 0, 0x0005_0000 | errno],
    [0x06, 0, 0, 0x7fff_0000],
  ];
  const filter = Buffer.alloc(instructions.length * 8);
  for (const [index, [code = 0, ifTrue = 0, ifFalse = 0, value = 0]] of instructions.entries()) {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(ifTrue, index * 8 + 2);
    filter.writeUInt8(ifFalse, index * 8 + 3);
    filter.writeUInt32LE(value, index * 8 + 4);
  }
  const program = Buffer.alloc(16);
  program.writeUInt16LE(instructions.length);
  program.writeBigUInt64LE(BigInt(ptr(filter)), 8);
  const { prctl } = dlopen('libc.so.6', { prctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' } }).symbols;
  // PR_SET_SECCOMP, SECCOMP_MODE_FILTER
  if (prctl(22, 2, program) !== 0) throw new Error('the calls cannot be denied');
}
