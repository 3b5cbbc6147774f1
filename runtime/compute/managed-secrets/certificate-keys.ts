import { type ComputeProblem, computeError } from '../problems/compute-problem.ts';

/** Sizes of the keys that Key Vault makes for certificates, in bits. */
const keySizes = { RSA: [2048, 3072, 4096], EC: [256, 384, 521] } as const;

/** Problems of the key that a certificate is to have. `path` is the path of its size; an absent size is no problem. */
export function certificateKeyProblems(
  keyType: keyof typeof keySizes,
  keySize: number | undefined,
  path: string,
): ComputeProblem[] {
  const sizes: readonly number[] = keySizes[keyType];
  if (keySize === undefined || sizes.includes(keySize)) return [];
  const fix = `must be ${sizes.join(', ')} with keyType ${keyType}; set one of these, or another keyType`;
  return [computeError('KeySizeInvalid', path, fix)];
}
