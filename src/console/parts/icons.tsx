/** Icons on a 16×16 grid, by the path of the place in the navigation. */
const LINES: Readonly<Record<string, string>> = {
  '': 'M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5',
  start: 'M5 3.5v9l7-4.5z',
  flags: 'M4 14V2.5M4 3h8l-2 2.75L12 8.5H4',
  config: 'M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.25 3.25v3.5M5.75 9.25v3.5',
  surveys: 'M2.5 3h11v7.5H7L4 13.5v-3H2.5zM5 5.75h6M5 8h3.5',
  crashes: 'M8 2.5 14 13H2zM8 6.5v3M8 11.4v.1',
  events: 'M2 8h2.5L6.5 3l3 10 2-5H14',
  releases: 'M8 2 13 4.75v6.5L8 14l-5-2.75v-6.5zM3.2 4.9 8 7.5l4.8-2.6M8 7.5V14',
  boards: 'M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z',
  webhooks: 'M6.5 9.5 9.5 6.5M7 4.5l1-1a2.8 2.8 0 0 1 4 4l-1 1M9 11.5l-1 1a2.8 2.8 0 0 1-4-4l1-1',
  audit: 'M8 4.5V8l2.5 1.5M2.6 6.5A5.7 5.7 0 1 1 2.4 9M2.3 3.5v3h3',
  settings: 'M3 4.5h10M3 8h10M3 11.5h10M6 3v3M10.5 6.5v3M5 10v3',
};

export function PlaceIcon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={LINES[path] ?? ''} />
    </svg>
  );
}

/** The product's logo: a ship's decks, the top one shortest. */
export function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--mark)" />
      <path d="M6 6.5h5M6 11.5h9M5 16.5h14" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" fill="none" />
    </svg>
  );
}

export function SearchIcon() {
  return (
    <svg
      viewBox="0 0 16 16"
      width={15}
      height={15}
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
    >
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3.3 3.3" strokeLinecap="round" />
    </svg>
  );
}
