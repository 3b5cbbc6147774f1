/**
 * Adds a note to a 64-bit little-endian ELF executable, as Node looks for the blob of a single executable: a PT_NOTE that
 * is also loaded, whose owner is the blob's name. What no PT_LOAD covers (symbols, section headers) is left out, so the
 * result is stripped. Layout: System V ABI, "ELF header", "Program header", "Note section".
 */
export function withNote(program: Buffer, owner: string, content: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program[4] !== 2 || program[5] !== 1) {
    throw new Error('Expected a 64-bit little-endian ELF executable');
  }
  const tableOffset = Number(program.readBigUInt64LE(0x20));
  const entrySize = program.readUInt16LE(0x36);
  const count = program.readUInt16LE(0x38);
  const headers = Array.from({ length: count }, (_, index) => {
    const start = tableOffset + index * entrySize;
    return Buffer.from(program.subarray(start, start + entrySize));
  });
  const field = (header: Buffer, at: number) => Number(header.readBigUInt64LE(at));
  const loads = headers.filter((header) => header.readUInt32LE(0) === PT_LOAD);
  const first = loads[0];
  if (!first) throw new Error('The executable has nothing to load');
  // Old kernels compute the address of the table from its offset by the first segment's difference, so ours has it too.
  const difference = field(first, P_VADDR) - field(first, P_OFFSET);
  const endOfFile = Math.max(...headers.map((header) => field(header, P_OFFSET) + field(header, P_FILESZ)));
  const endOfMemory = Math.max(...loads.map((header) => field(header, P_VADDR) + field(header, P_MEMSZ)));
  const offset = align(Math.max(endOfFile, endOfMemory - difference), PAGE);

  const table = (count + 2) * entrySize;
  const name = Buffer.from(`${owner}\0`);
  const note = Buffer.alloc(align(12 + align(name.length, 4) + content.length, 4));
  note.writeUInt32LE(name.length, 0);
  note.writeUInt32LE(content.length, 4);
  name.copy(note, 12);
  content.copy(note, 12 + align(name.length, 4));
  const size = table + note.length;

  const segment = (type: number, at: number, length: number, alignment: number): Buffer => {
    const header = Buffer.alloc(entrySize);
    header.writeUInt32LE(type, 0);
    header.writeUInt32LE(PF_R, 4);
    const values = [at, at + difference, at + difference, length, length, alignment];
    for (const [index, value] of values.entries()) header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
    return header;
  };
  const lastLoad = headers.findLastIndex((header) => header.readUInt32LE(0) === PT_LOAD);
  const all = [
    ...headers.slice(0, lastLoad + 1),
    // Segments to load go upwards in memory.
    segment(PT_LOAD, offset, size, PAGE),
    ...headers.slice(lastLoad + 1),
    segment(PT_NOTE, offset + table, note.length, 4),
  ].map((header) => (header.readUInt32LE(0) === PT_PHDR ? segment(PT_PHDR, offset, table, 8) : header));

  const result = Buffer.alloc(offset + size);
  program.copy(result, 0, 0, endOfFile);
  Buffer.concat([...all, note]).copy(result, offset);
  result.writeBigUInt64LE(BigInt(offset), 0x20);
  result.writeUInt16LE(all.length, 0x38);
  // No section headers.
  result.writeBigUInt64LE(0n, 0x28);
  result.writeUInt16LE(0, 0x3c);
  result.writeUInt16LE(0, 0x3e);
  return result;
}

const PT_LOAD = 1;
const PT_NOTE = 4;
const PT_PHDR = 6;
const PF_R = 4;
const P_OFFSET = 8;
const P_VADDR = 16;
const P_FILESZ = 32;
const P_MEMSZ = 40;
const PAGE = 0x1000;

function align(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}
