import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { RequestDurations } from './requests/request-durations.js';

/** Current values of a gauge: one number, or one per label value. */
export type GaugeReading = number | ReadonlyMap<string, number>;

/** What this process counts about itself, in Prometheus' text format. Names begin with `quarterdeck_`. */
export class Metrics {
  readonly requests = new RequestDurations(
    'quarterdeck_http_request_duration_seconds',
    'Requests by route, status and, where refused, reason',
  );
  private readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'quarterdeck_' });
    // The library's type is its own classes; it calls what ours has.
    this.registry.registerMetric(this.requests as never);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** A number that only grows; call the answer to add. Labels are few and fixed, never an id. */
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]) {
    const counter = new Counter({ name: `quarterdeck_${name}`, help, labelNames, registers: [this.registry] });
    return (labels: Record<Label, string>, amount = 1): void => counter.inc(labels, amount);
  }

  /** A number read when it is asked for; `label` names what a map's keys are. A reading that fails is NaN. */
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

  /** A number that only grows and is kept elsewhere, read when it is asked for, one per label value. */
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
