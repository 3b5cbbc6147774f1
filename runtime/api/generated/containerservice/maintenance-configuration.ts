// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface MaintenanceConfigurationSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  maintenanceWindow?: {
    /** 4 to 24. */
    durationHours: number;
    /** @default sent as null */
    notAllowedDates?: ({
      end: string;
      start: string;
    })[];
    schedule: {
      absoluteMonthly?: {
        /** 1 to 31. */
        dayOfMonth: number;
        /** 1 to 6. */
        intervalMonths: number;
      };
      daily?: {
        /** 1 to 7. */
        intervalDays: number;
      };
      relativeMonthly?: {
        dayOfWeek: 'Friday' | 'Monday' | 'Saturday' | 'Sunday' | 'Thursday' | 'Tuesday' | 'Wednesday';
        /** 1 to 6. */
        intervalMonths: number;
        weekIndex: 'First' | 'Fourth' | 'Last' | 'Second' | 'Third';
      };
      weekly?: {
        dayOfWeek: 'Friday' | 'Monday' | 'Saturday' | 'Sunday' | 'Thursday' | 'Tuesday' | 'Wednesday';
        /** 1 to 4. */
        intervalWeeks: number;
      };
    };
    startDate?: string;
    /** Pattern: `^\d{2}:\d{2}$`. */
    startTime: string;
    /**
     * Pattern: `^(-|\+)[0-9]{2}:[0-9]{2}$`.
     * @default Azure's own value
     */
    utcOffset?: string;
  };
  /** @default sent as null */
  notAllowedTime?: ({
    end?: string;
    start?: string;
  })[];
  /** @default sent as null */
  timeInWeek?: ({
    day?: 'Friday' | 'Monday' | 'Saturday' | 'Sunday' | 'Thursday' | 'Tuesday' | 'Wednesday';
    /** @default sent as null */
    hourSlots?: number[];
  })[];
  /** The ManagedCluster that it is in, by construct or ARM id. */
  owner: KnownOwner<'containerservice.azure.com/ManagedCluster'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface MaintenanceConfiguration {
  spec: MaintenanceConfigurationSpec;
  status?: ArmStatus;
}
