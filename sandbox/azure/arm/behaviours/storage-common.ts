import { type Refusal, refuse } from '../../exchange.ts';

/** The api-versions of Microsoft.Storage. */
export const apiVersions = [
  '2015-05-01-preview',
  '2015-06-15',
  '2016-01-01',
  '2016-05-01',
  '2016-12-01',
  '2017-06-01',
  '2017-10-01',
  '2018-02-01',
  '2018-03-01-preview',
  '2018-07-01',
  '2018-11-01',
  '2019-04-01',
  '2019-06-01',
  '2020-08-01-preview',
  '2021-01-01',
  '2021-02-01',
  '2021-04-01',
  '2021-05-01',
  '2021-06-01',
  '2021-08-01',
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
