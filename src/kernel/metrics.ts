import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { RequestDurations } from './requests/request-durations.js';

/** Current values of a gauge: one number, or one per label value. */
export type GaugeReading = number | ReadonlyMap<string, number>;

/** Metrics of this process in Prometheus text format. Names begin with `quarterdeck_`. */
export class Metrics {
  readonly requests = new RequestDurations(
    'quarterdeck_http_request_duration_seconds',
    'Requests by route, status and, if refused, reason',
  );
  private readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'quarterdeck_' });
    // The library's type demands its own classes, but it calls only methods that ours has.
    this.registry.registerMetric(this.requests as never);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** A counter; call the returned function to add to it. Labels must be few and fixed, never an id. */
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]) {
    const counter = new Counter({ name: `quarterdeck_${name}`, help, labelNames, registers: [this.registry] });
    return (labels: Record<Label, string>, amount = 1): void => counter.inc(labels, amount);
  }

  /** A gauge read on demand; `label` names the keys of a map. A failed reading is NaN. */
  gauge(name: string, help: string, read: () => Promise<GaugeReading> | GaugeReading, label?: string): void {
    const labelNames = label ? [label] : [];
    const gauge: Gauge = new Gauge({
      name: `quarterdeck_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      collect: async () => {
        gauge.reset();
        const failed = label ? new Map<string, number>() : Number.NaN;
        const reading = await Promise.resolve()
          .then(read)
          .catch(() => failed);
        if (typeof reading === 'number') gauge.set(reading);
        else for (const [value, amount] of reading) gauge.set({ [label ?? 'value']: value }, amount);
      },
    });
  }

  /** A counter kept elsewhere and read on demand, one per label value. */
  total(name: string, help: string, read: () => ReadonlyMap<string, number>, label: string): void {
    const counter: Counter = new Counter({
      name: `quarterdeck_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect: () => {
        counter.reset();
        for (const [value, amount] of read()) counter.inc({ [label]: value }, amount);
      },
    });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
