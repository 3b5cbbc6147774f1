import { type JsonWebKey, randomBytes } from 'node:crypto';

/**
 * ECDSA over a digest that was computed elsewhere, as Key Vault's sign and verify need it: Node only signs messages
 * that it hashes itself. Curves: FIPS 186-4. Not constant-time: keys of a sandbox protect nothing.
 */
interface Curve {
  readonly p: bigint;
  readonly a: bigint;
  readonly n: bigint;
  readonly g: Point;
  readonly bytes: number;
}

type Point = { readonly x: bigint; readonly y: bigint } | undefined;

const hex = (text: string) => BigInt(`0x${text}`);

const p256 = hex('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff');
const p384 = hex('fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff');
const p521 = 2n ** 521n - 1n;

const curves: Readonly<Record<string, Curve>> = {
  'P-256': {
    p: p256,
    a: p256 - 3n,
    n: hex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'),
    g: {
      x: hex('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'),
      y: hex('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'),
    },
    bytes: 32,
  },
  'P-384': {
    p: p384,
    a: p384 - 3n,
    n: hex('ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973'),
    g: {
      x: hex('aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7'),
      y: hex('3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f'),
    },
    bytes: 48,
  },
  'P-521': {
    p: p521,
    a: p521 - 3n,
    n: hex(
      '01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409',
    ),
    g: {
      x: hex(
        '00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66',
      ),
      y: hex(
        '011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650',
      ),
    },
    bytes: 66,
  },
};

const mod = (value: bigint, m: bigint) => ((value % m) + m) % m;

function inverse(value: bigint, m: bigint): bigint {
  let [a, b, x, y] = [mod(value, m), m, 1n, 0n];
  while (a > 1n) {
    const quotient = a / b;
    [a, b] = [b, a % b];
    [x, y] = [y, x - quotient * y];
  }
  return mod(x, m);
}

function add(curve: Curve, left: Point, right: Point): Point {
  if (!left) return right;
  if (!right) return left;
  const { p, a } = curve;
  if (left.x === right.x && mod(left.y + right.y, p) === 0n) return undefined;
  const slope =
    left.x === right.x
      ? mod((3n * left.x * left.x + a) * inverse(2n * left.y, p), p)
      : mod((right.y - left.y) * inverse(right.x - left.x, p), p);
  const x = mod(slope * slope - left.x - right.x, p);
  return { x, y: mod(slope * (left.x - x) - left.y, p) };
}

function times(curve: Curve, scalar: bigint, point: Point): Point {
  let result: Point;
  for (let [left, base] = [scalar, point]; left > 0n; left >>= 1n) {
    if (left & 1n) result = add(curve, result, base);
    base = add(curve, base, base);
  }
  return result;
}

const numberOf = (bytes: Uint8Array) => hex(Buffer.from(bytes).toString('hex') || '0');
const member = (jwk: JsonWebKey, name: 'd' | 'x' | 'y') => numberOf(Buffer.from(jwk[name] ?? '', 'base64url'));

function curveOf(jwk: JsonWebKey): Curve {
  const curve = curves[jwk.crv ?? ''];
  if (!curve) throw new Error(`Expected curve P-256, P-384 or P-521, got ${jwk.crv}`);
  return curve;
}

/** Leftmost bits of the digest, as many as the order has. */
function scalarOf(digest: Uint8Array, { n }: Curve): bigint {
  const excess = digest.length * 8 - n.toString(2).length;
  return excess > 0 ? numberOf(digest) >> BigInt(excess) : numberOf(digest);
}

/** Signature in the form r || s. */
export function signDigest(jwk: JsonWebKey, digest: Uint8Array): Buffer {
  const curve = curveOf(jwk);
  const { n, g, bytes } = curve;
  for (;;) {
    const k = mod(numberOf(randomBytes(bytes + 8)), n);
    const r = mod(times(curve, k, g)?.x ?? 0n, n);
    if (k === 0n || r === 0n) continue;
    const s = mod(inverse(k, n) * (scalarOf(digest, curve) + r * member(jwk, 'd')), n);
    if (s === 0n) continue;
    return Buffer.from([r, s].map((value) => value.toString(16).padStart(bytes * 2, '0')).join(''), 'hex');
  }
}

/** Whether the signature (r and s, each as long as the curve's order) is the key's for this digest. */
export function verifyDigest(jwk: JsonWebKey, digest: Uint8Array, signature: Uint8Array): boolean {
  const curve = curveOf(jwk);
  const { n, g, bytes } = curve;
  if (signature.length !== bytes * 2) return false;
  const [r, s] = [numberOf(signature.subarray(0, bytes)), numberOf(signature.subarray(bytes))];
  if (r === 0n || s === 0n || r >= n || s >= n) return false;
  const w = inverse(s, n);
  const point = add(
    curve,
    times(curve, mod(scalarOf(digest, curve) * w, n), g),
    times(curve, mod(r * w, n), { x: member(jwk, 'x'), y: member(jwk, 'y') }),
  );
  return point !== undefined && mod(point.x, n) === r;
}
