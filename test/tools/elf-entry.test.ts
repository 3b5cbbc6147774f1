import { expect, test } from '@jest/globals';
import { withCleanStart } from '../../tools/elf-entry.ts';

const entry = 0x201000;

/** An executable with one segment to load and a note. */
function executable(machine: number): Buffer {
  const file = Buffer.alloc(0x1234);
  file.write('7f454c46020101', 'hex');
  file.writeUInt16LE(2, 0x10);
  file.writeUInt16LE(machine, 0x12);
  file.writeBigUInt64LE(BigInt(entry), 0x18);
  file.writeBigUInt64LE(64n, 0x20);
  file.writeUInt16LE(2, 0x38);
  for (const [index, [type = 0, address = 0, size = 0]] of [
    [1, 0x200000, 0x9000],
    [4, 0x200100, 0x40],
  ].entries()) {
    file.writeUInt32LE(type, 64 + index * 56);
    file.writeBigUInt64LE(BigInt(address), 64 + index * 56 + 16);
    file.writeBigUInt64LE(BigInt(size), 64 + index * 56 + 40);
  }
  return file;
}

/** Where the jump at the end of the instructions leads, from the first of them. */
const jumps: Record<string, (code: Buffer) => number> = {
  x64: (code) => code.readInt32LE(53) + 57,
  arm64: (code) => ((code.readUInt32LE(68) << 6) >> 4) + 68,
};

test.each([
  ['x64', 62],
  ['arm64', 183],
])('the instructions for %s are a segment of their own, and end at what was the entry', (name, machine) => {
  const result = withCleanStart(executable(machine));
  const note = result.subarray(64 + 56, 64 + 112);
  expect([note.readUInt32LE(0), note.readUInt32LE(4)]).toEqual([1, 5]);
  const [offset, address] = [Number(note.readBigUInt64LE(8)), Number(note.readBigUInt64LE(16))];
  expect(Number(result.readBigUInt64LE(0x18))).toBe(address);
  expect([offset % 0x10000, address]).toEqual([0, 0x210000]);
  const code = result.subarray(offset);
  expect(code).toHaveLength(Number(note.readBigUInt64LE(32)));
  expect(code.toString('latin1')).toMatch(/\/\0\/dev\/null\0$/);
  expect(address + (jumps[name]?.(code) ?? 0)).toBe(entry);
});

test('another kind of file, and another processor, is refused', () => {
  expect(() => withCleanStart(Buffer.alloc(100))).toThrow(/ELF executable/);
  expect(() => withCleanStart(executable(8))).toThrow(/ELF machine 8/);
});
