const UPPER_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  labels: Record<string, string>;
  counts: number[];
  count: number;
  sum: number;
}

interface Sample {
  labels: Record<string, string | number>;
  value: number;
  metricName: string;
}

/** The durations of one route's requests, by status and refusal. */
export class RouteDurations {
  readonly series = new Map<number | string, Series>();

  constructor(
    private readonly method: string,
    private readonly route: string,
  ) {}

  /** `reason` is the refusal's code, or empty. */
  observe(status: number, reason: string, seconds: number): void {
    const key = reason === '' ? status : `${status} ${reason}`;
    let series = this.series.get(key);
    if (!series) {
      const labels = { method: this.method, route: this.route, status: String(status), reason };
      series = { labels, counts: new Array(UPPER_BOUNDS.length).fill(0), count: 0, sum: 0 };
      this.series.set(key, series);
    }
    const bucket = UPPER_BOUNDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
  }
}

/**
 * A histogram of request durations that costs a map lookup and two additions per request; prom-client's own hashes and
 * sorts the labels each time. It has the shape that prom-client's registry expects.
 */
export class RequestDurations {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  private readonly routes = new Map<string, RouteDurations>();

  constructor(
    readonly name: string,
    readonly help: string,
  ) {}

  /** The durations of a route; `route` is its path with parameter names. */
  of(method: string, route: string): RouteDurations {
    const key = `${method} ${route}`;
    const known = this.routes.get(key) ?? new RouteDurations(method, route);
    this.routes.set(key, known);
    return known;
  }

  async get(): Promise<{ name: string; help: string; type: string; aggregator: string; values: Sample[] }> {
    const series = [...this.routes.values()].flatMap((route) => [...route.series.values()]);
    const values = series.flatMap((each) => this.samplesOf(each));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  reset(): void {
    for (const { series } of this.routes.values()) series.clear();
  }

  private samplesOf({ labels, counts, count, sum }: Series): Sample[] {
    let below = 0;
    const buckets = UPPER_BOUNDS.map((le, at) => {
      below += counts[at] ?? 0;
      return { labels: { ...labels, le }, value: below, metricName: `${this.name}_bucket` };
    });
    return [
      ...buckets,
      { labels: { ...labels, le: '+Inf' }, value: count, metricName: `${this.name}_bucket` },
      { labels, value: sum, metricName: `${this.name}_sum` },
      { labels, value: count, metricName: `${this.name}_count` },
    ];
  }
}
