import type { Metrics } from '../../../kernel/metrics.js';
import type { IngestionService } from './ingestion.service.js';

export function measureIngestion(metrics: Metrics, ingestion: IngestionService): void {
  const accepted = () => new Map(Object.entries(ingestion.accepted));
  metrics.total('ingest_accepted_total', 'Operations stored since the process started', accepted, 'type');
  metrics.gauge('ingest_buffered', 'Operations waiting for their commit or being written', () => ingestion.depth);
}
