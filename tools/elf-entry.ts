/**
 * Makes a Linux executable start in `/`, with an empty environment and with /dev/null as standard error, whatever its
 * caller has: its entry becomes a few instructions that set envp[0] to null, make three system calls and go on to what was
 * the entry. /proc/self/environ keeps what was there. The stack at the entry is argc, argv and a null, envp and a null
 * (System V ABI, "Process initialization"); the register with a function for exit, rdx or x0, is left as it is.
 *
 * The instructions are a segment at the end of the file, whose header takes the place of the one of PT_NOTE.
 */
export function withCleanStart(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program[4] !== 2 || program[5] !== 1 || program[16] !== ET_EXEC) {
    throw new Error('Expected a 64-bit little-endian ELF executable with fixed addresses');
  }
  const machine = program.readUInt16LE(0x12);
  const entry = Number(program.readBigUInt64LE(0x18));
  const table = Number(program.readBigUInt64LE(0x20));
  const headers = Array.from({ length: program.readUInt16LE(0x38) }, (_, index) =>
    program.subarray(table + index * HEADER_SIZE, table + (index + 1) * HEADER_SIZE),
  );
  const note = headers.find((header) => header.readUInt32LE(0) === PT_NOTE);
  if (!note) throw new Error('The executable has no PT_NOTE to give up');
  const ends = headers.map((header) => Number(header.readBigUInt64LE(P_VADDR) + header.readBigUInt64LE(P_MEMSZ)));
  const offset = align(program.length);
  const address = align(Math.max(...ends));
  const code = instructions(machine, entry - address);
  note.writeUInt32LE(PT_LOAD, 0);
  note.writeUInt32LE(PF_R | PF_X, 4);
  const values = [offset, address, address, code.length, code.length, PAGE];
  for (const [index, value] of values.entries()) note.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  program.writeBigUInt64LE(BigInt(address), 0x18);
  return Buffer.concat([program, Buffer.alloc(offset - program.length), code]);
}

/** `distance` is from the first of them to what was the entry. */
function instructions(machine: number, distance: number): Buffer {
  switch (machine) {
    case EM_X86_64: {
      const jump = Buffer.alloc(4);
      jump.writeInt32LE(distance - 57);
      const code = [
        // mov rax, [rsp]; mov qword [rsp + rax * 8 + 16], 0
        ['488b0424', '48c744c41000000000'],
        // chdir("/"): lea rdi, [rip + 37]; mov eax, 80; syscall
        ['488d3d25000000', 'b850000000', '0f05'],
        // open("/dev/null", O_RDWR): lea rdi, [rip + 25]; mov esi, 2; mov eax, esi; syscall
        ['488d3d19000000', 'be02000000', '89f0', '0f05'],
        // dup2(it, 2): mov edi, eax; mov eax, 33; syscall
        ['89c7', 'b821000000', '0f05'],
        // jmp
        ['e9'],
      ];
      return Buffer.concat([Buffer.from(code.flat().join(''), 'hex'), jump, paths]);
    }
    case EM_AARCH64: {
      if (Math.abs(distance) >= 2 ** 27) throw new Error('The entry is too far away for one branch');
      const words = [
        // ldr x9, [sp]; add x9, sp, x9, uxtx #3; str xzr, [x9, #16]; mov x10, x0
        [0xf94003e9, 0x8b296fe9, 0xf900093f, 0xaa0003ea],
        // chdir("/"): adr x0, +56; mov x8, #49; svc #0
        [0x100001c0, 0xd2800628, 0xd4000001],
        // openat(AT_FDCWD, "/dev/null", O_RDWR): mov x0, #-100; adr x1, +42; mov x2, #2; mov x8, #56; svc #0
        [0x92800c60, 0x50000141, 0xd2800042, 0xd2800708, 0xd4000001],
        // dup3(it, 2, 0): mov x1, #2; mov x2, #0; mov x8, #24; svc #0
        [0xd2800041, 0xd2800002, 0xd2800308, 0xd4000001],
        // mov x0, x10; b
        [0xaa0a03e0, (0x14000000 | (((distance - 68) >> 2) & 0x3ffffff)) >>> 0],
      ].flat();
      const code = Buffer.alloc(words.length * 4);
      for (const [index, word] of words.entries()) code.writeUInt32LE(word, index * 4);
      return Buffer.concat([code, paths]);
    }
    default:
      throw new Error(`No instructions for the ELF machine ${machine}`);
  }
}

const paths = Buffer.from('/\0/dev/null\0');
const ET_EXEC = 2;
const EM_X86_64 = 62;
const EM_AARCH64 = 183;
const HEADER_SIZE = 56;
const PT_LOAD = 1;
const PT_NOTE = 4;
const PF_X = 1;
const PF_R = 4;
const P_VADDR = 16;
const P_MEMSZ = 40;
/** The largest that Linux has on arm64. */
const PAGE = 0x10000;

function align(value: number): number {
  return Math.ceil(value / PAGE) * PAGE;
}
