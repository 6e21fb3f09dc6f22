import { useId } from 'react';

interface SparklineProps {
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  readonly values: readonly number[];
  readonly height?: number;
}

const WIDTH = 100;

/** The course of one figure, without axes. */
export function Sparkline({ label, values, height = 36 }: SparklineProps) {
  const id = useId();
  if (values.length < 2) return <svg role="img" aria-label={label} width="100%" height={height} />;
  const most = Math.max(...values, 1e-9);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    return `${x.toFixed(2)},${(height - 2 - (value / most) * (height - 4)).toFixed(2)}`;
  });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${height}`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
    >
      <defs>
        <linearGradient id={id} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="var(--mantine-color-brand-5)" stopOpacity="0.35" />
          <stop offset="1" stopColor="var(--mantine-color-brand-5)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <polygon points={`0,${height} ${points.join(' ')} ${WIDTH},${height}`} fill={`url(#${id})`} />
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--mantine-color-brand-6)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
