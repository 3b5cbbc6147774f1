/** A name of most kinds of objects: RFC 1123, up to 253 characters. */
const objectName = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** A problem for each value of the property that is no name of an object. */
export function nameProblems(prop: string, names: readonly string[]): string[] {
  return names
    .filter((name) => !objectName.test(name))
    .map((name) => `Expected \`${prop}\` to be the name of an object, got \`${name}\``);
}
