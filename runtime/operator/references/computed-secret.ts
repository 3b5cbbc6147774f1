import { AzimuthError } from '../../base/errors.ts';
import { valueOfSecret } from '../../compute/templates/evaluation/secret-expression.ts';
import { TemplateError, TemplateStop } from '../../compute/templates/problems.ts';
import type { Budget } from '../../compute/templates/values/budget.ts';

/**
 * The value of an expression of the template language over secrets. Throws AZ_TERMINAL, without a part of a secret, for one
 * that fails or takes too much work. `where` is its path in the object.
 */
export function computedSecret(
  expression: string,
  secrets: readonly unknown[],
  { budget, where }: { readonly budget: Budget; readonly where: string },
): unknown {
  try {
    return valueOfSecret(expression, secrets, budget);
  } catch (error) {
    if (error instanceof TemplateStop)
      throw new AzimuthError('AZ_TERMINAL', `${where} takes too much work, with those before it: shorten it`);
    if (error instanceof TemplateError) throw new AzimuthError('AZ_TERMINAL', `${where}: ${error.message}`);
    throw error;
  }
}
