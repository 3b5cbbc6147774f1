/** The part of Grafana's dashboard model that is used here: https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/ */

import type { MonitoredProgram } from '../alerts.ts';

/** Units that Grafana knows. */
export type Unit = 'short' | 's' | 'bytes' | 'reqps' | 'ops' | 'percentunit' | 'bool_yes_no';

/** A query of a panel. */
export interface Query {
  /** PromQL. */
  readonly expr: string;
  /** Legend of each series, such as `{{kind}} {{request}}`. */
  readonly legend: string;
}

/** A time series panel. */
export interface Panel {
  readonly title: string;
  /** Explains the values. */
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** @default false */
  readonly stacked?: boolean;
}

/** A row of panels. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A variable that the reader of a dashboard selects. */
export interface Variable {
  readonly name: string;
  readonly label: string;
  /** A query for the values of a label. */
  readonly query: string;
}

/** A dashboard, independent of Grafana's JSON. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  /** Its replicas can be selected, by the variable `instance`. */
  readonly program: MonitoredProgram;
  /** @default none */
  readonly variables?: readonly Variable[];
  readonly rows: readonly Row[];
}

const columns = 24;
const panelWidth = 8;
const panelHeight = 8;
/** The variable of that name. */
const datasource = { type: 'prometheus', uid: '$datasource' };

/** The dashboard as Grafana imports it: rows one below the other, three panels beside each other. */
export function grafanaJson({ uid, title, program, variables = [], rows }: Dashboard): object {
  let id = 0;
  let y = 0;
  const panels = rows.flatMap((row) => {
    const heading = {
      id: ++id,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
    };
    y++;
    const within = row.panels.map((panel, index) => {
      const x = (index * panelWidth) % columns;
      const top = y + Math.floor((index * panelWidth) / columns) * panelHeight;
      return timeSeries(panel, ++id, { x, y: top, w: panelWidth, h: panelHeight });
    });
    y += Math.ceil((row.panels.length * panelWidth) / columns) * panelHeight;
    return [heading, ...within];
  });
  return {
    uid,
    title,
    tags: ['azimuth', 'azure'],
    editable: true,
    schemaVersion: 39,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        // All of them are the replicas of this program: other programs have metrics of the same names.
        selection({
          name: 'instance',
          label: 'Replica',
          query: `label_values(azimuth_build_info{program="${program}"}, instance)`,
        }),
        ...variables.map((variable) => ({ ...selection(variable), allValue: '.*' })),
      ],
    },
    panels,
  };
}

function selection({ name, label, query }: Variable): object {
  return {
    name,
    label,
    type: 'query',
    datasource,
    query,
    refresh: 2,
    includeAll: true,
    multi: true,
    current: { text: 'All', value: '$__all' },
  };
}

function timeSeries(
  { title, description, unit, queries, stacked = false }: Panel,
  id: number,
  gridPos: object,
): object {
  const custom = {
    fillOpacity: stacked ? 30 : 8,
    showPoints: 'never',
    stacking: { mode: stacked ? 'normal' : 'none' },
  };
  return {
    id,
    type: 'timeseries',
    title,
    description,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0, custom }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}
