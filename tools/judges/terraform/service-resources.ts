import { block, type Configured, password, placed } from './blocks.ts';

/** Clusters, databases, messages, logs, zones. */
export const serviceResources: Readonly<Record<string, Configured>> = {
  azurerm_kubernetes_cluster: {
    block: placed(
      'azurerm_kubernetes_cluster',
      `
  name       = "aks"
  dns_prefix = "aks"
  default_node_pool {
    name       = "default"
    node_count = 1
    vm_size    = "Standard_D2s_v3"
    upgrade_settings {
      max_surge = "10%"
    }
  }
  identity {
    type = "SystemAssigned"
  }
  node_provisioning_profile {
    mode = "Manual"
  }`,
    ),
  },
  azurerm_container_registry: {
    block: placed('azurerm_container_registry', '\n  name = "terraformlab"\n  sku = "Basic"'),
  },
  azurerm_postgresql_flexible_server: {
    block: placed(
      'azurerm_postgresql_flexible_server',
      `
  name                   = "terraform-lab"
  version                = "16"
  administrator_login    = "lab"
  administrator_password = "${password}"
  sku_name               = "B_Standard_B1ms"
  storage_mb             = 32768
  zone                   = "1"`,
    ),
  },
  azurerm_mssql_server: {
    block: placed(
      'azurerm_mssql_server',
      `
  name                         = "terraform-lab"
  version                      = "12.0"
  administrator_login          = "lab"
  administrator_login_password = "${password}"`,
    ),
  },
  azurerm_cosmosdb_account: {
    block: placed(
      'azurerm_cosmosdb_account',
      `
  name       = "terraform-lab"
  offer_type = "Standard"
  consistency_policy {
    consistency_level = "Session"
  }
  geo_location {
    location          = azurerm_resource_group.one.location
    failover_priority = 0
  }`,
    ),
  },
  azurerm_redis_cache: {
    block: placed(
      'azurerm_redis_cache',
      '\n  name = "terraform-lab"\n  capacity = 1\n  family = "C"\n  sku_name = "Standard"',
    ),
  },
  azurerm_servicebus_namespace: {
    block: placed('azurerm_servicebus_namespace', '\n  name = "terraform-lab"\n  sku = "Standard"'),
  },
  azurerm_servicebus_queue: {
    with: ['azurerm_servicebus_namespace'],
    block: block('azurerm_servicebus_queue', '\n  name = "jobs"\n  namespace_id = azurerm_servicebus_namespace.one.id'),
  },
  azurerm_eventhub_namespace: {
    block: placed('azurerm_eventhub_namespace', '\n  name = "terraform-lab-events"\n  sku = "Standard"'),
  },
  azurerm_eventhub: {
    with: ['azurerm_eventhub_namespace'],
    block: block(
      'azurerm_eventhub',
      `
  name              = "hub"
  namespace_id      = azurerm_eventhub_namespace.one.id
  partition_count   = 2
  message_retention = 1`,
    ),
  },
  azurerm_log_analytics_workspace: { block: placed('azurerm_log_analytics_workspace', '\n  name = "logs"') },
  azurerm_application_insights: {
    with: ['azurerm_log_analytics_workspace'],
    block: placed(
      'azurerm_application_insights',
      `
  name             = "insights"
  application_type = "web"
  workspace_id     = azurerm_log_analytics_workspace.one.id`,
    ),
  },
  azurerm_dns_zone: {
    block: block(
      'azurerm_dns_zone',
      '\n  name = "lab.example"\n  resource_group_name = azurerm_resource_group.one.name',
    ),
  },
  azurerm_private_dns_zone: {
    block: block(
      'azurerm_private_dns_zone',
      '\n  name = "lab.internal"\n  resource_group_name = azurerm_resource_group.one.name',
    ),
  },
};
