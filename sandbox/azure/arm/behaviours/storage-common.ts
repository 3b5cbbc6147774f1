import { type Refusal, refuse } from '../../exchange.ts';

/** The api-versions of Microsoft.Storage. */
export const apiVersions = [
  '2019-06-01',
  '2021-01-01',
  '2021-02-01',
  '2021-04-01',
  '2021-09-01',
  '2022-05-01',
  '2022-09-01',
  '2023-01-01',
  '2023-04-01',
  '2023-05-01',
  '2024-01-01',
  '2025-01-01',
  '2025-06-01',
  '2025-08-01',
  '2026-04-01',
  '2026-09-01',
];

/** A time as Azure writes it. */
export const iso = (ms: number) => new Date(ms).toISOString();

/** The refusal of a parameter's value, as Microsoft.Storage words it. */
export const invalid = (name: string): Refusal =>
  refuse(400, 'InvalidValuesForRequestParameters', `Values for request parameters are invalid: ${name}.`);
