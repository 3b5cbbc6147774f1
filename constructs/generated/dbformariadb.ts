// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `Configuration`. */
export interface ConfigurationProps extends KindProps<'dbformariadb.azure.com/Configuration'> {}

/**
 * Microsoft.DBforMariaDB/servers/configurations, in a Server.
 * Versions of Azure's API: 2018-06-01.
 */
export class Configuration extends AzureResource<'dbformariadb.azure.com/Configuration'> {
  constructor(scope: Construct, id: string, props: ConfigurationProps) {
    super(scope, id, { ...props, kind: 'dbformariadb.azure.com/Configuration' });
  }
}

/** Properties of `Database`. */
export interface DatabaseProps extends KindProps<'dbformariadb.azure.com/Database'> {}

/**
 * Microsoft.DBforMariaDB/servers/databases, in a Server.
 * Versions of Azure's API: 2018-06-01.
 */
export class Database extends AzureResource<'dbformariadb.azure.com/Database'> {
  constructor(scope: Construct, id: string, props: DatabaseProps) {
    super(scope, id, { ...props, kind: 'dbformariadb.azure.com/Database' });
  }
}

/** Properties of `Server`. */
export interface ServerProps extends KindProps<'dbformariadb.azure.com/Server'> {}

/**
 * Microsoft.DBforMariaDB/servers, in a ResourceGroup.
 * `export()` gives `fullyQualifiedDomainName`.
 * Versions of Azure's API: 2018-06-01.
 */
export class Server extends AzureResource<'dbformariadb.azure.com/Server'> {
  constructor(scope: Construct, id: string, props: ServerProps) {
    super(scope, id, { ...props, kind: 'dbformariadb.azure.com/Server' });
  }
}
