/**
 * Secrets of which each value stands in the template, such as the command in the `protectedSettings` of an extension: no
 * secret, but the field takes a Secret. An object that comes before writes it, as it writes listed secrets.
 */
import { type ExportExpression, maxExpressionLength, maxExpressions } from '../../../api/common-schemas.ts';
import { SecretValue } from '../../../base/secret-value.ts';
import type { TemplateManifest, TemplateSecret } from '../../manifests/template-manifest.ts';

/** Whether each value of the Secret stands in the template, for a field that takes all values of a Secret. */
export function isLiteral({ data, plain, isMap }: TemplateSecret): boolean {
  return isMap && plain.length === Object.keys(data).length;
}

/**
 * Adds the expressions that write such Secrets, by ARM id in lower case of the objects that get them, and adds the names of
 * the Secrets to `written`. A Secret that no object comes before, or that is too large for expressions, is left out.
 */
export function addLiteralSecrets(
  manifests: readonly TemplateManifest[],
  expressions: Map<string, readonly ExportExpression[]>,
  written: Set<string>,
): void {
  const ids = new Set(manifests.map(({ id }) => id.toLowerCase()));
  for (const { secrets, dependsOn } of manifests) {
    for (const secret of secrets) {
      const own = literals(secret);
      if (own === undefined) continue;
      const room = (id: string) => maxExpressions - (expressions.get(id)?.length ?? 0);
      const writer = dependsOn.map((id) => id.toLowerCase()).find((id) => ids.has(id) && room(id) >= own.length);
      if (writer === undefined) continue;
      expressions.set(writer, [...(expressions.get(writer) ?? []), ...own]);
      written.add(secret.name);
    }
  }
}

function literals(secret: TemplateSecret): ExportExpression[] | undefined {
  if (!isLiteral(secret)) return undefined;
  const all = Object.entries(secret.data).map(([key, value]) => {
    const text: unknown = value instanceof SecretValue ? value.reveal() : undefined;
    // CEL: the literals of JSON are some of its own.
    return { name: secret.name, key, value: JSON.stringify(text) };
  });
  return all.every(({ value }) => value.length <= maxExpressionLength) ? all : undefined;
}
