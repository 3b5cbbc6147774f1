import { type Refusal, refuse } from '../../exchange.ts';

/** Azure Resource Graph's refusal of a query. */
export function badQuery(why: string): Refusal {
  const details = [{ code: 'InvalidQuery', message: `Query is invalid: ${why}.` }];
  return refuse(400, 'BadRequest', `Please provide below info when asking for support: the query is invalid: ${why}.`, {
    details,
  });
}
