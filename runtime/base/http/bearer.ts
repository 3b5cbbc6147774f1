/** Form of a bearer token (RFC 6750), of a length that an HTTP header has. */
const bearer = /^Bearer ([\w.~+/-]{1,12000}={0,2})$/i;

/** The bearer token of an Authorization header; undefined where the header is missing or has another form. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return bearer.exec(authorization ?? '')?.[1];
}
