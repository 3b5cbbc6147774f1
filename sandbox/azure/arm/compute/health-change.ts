/** The health of an instance, as the health source of its set reports it. */
export type Health = 'healthy' | 'unhealthy';

/** How well an instance of a scale set is, as a test decides it. */
export interface HealthChange {
  /** ARM id of an instance, or of a scale set for all of its instances. */
  readonly id: string;
  readonly health: Health;
  /** `afterUpgrade`: as soon as it gets a new model, and with each one after that. @default 'now' */
  readonly when?: 'now' | 'afterUpgrade';
  /** Of a set: instances with a model whose text has this are unhealthy from then on, and well with another one. */
  readonly model?: string;
  /** Milliseconds of Azure's clock after which it happens. @default 0 */
  readonly afterMs?: number;
}
