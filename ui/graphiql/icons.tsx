const line = {
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  'aria-hidden': true,
} as const

export const PriceTagIcon = () => (
  <svg {...line}>
    <title>Credits</title>
    <path d="M3 12 12 3h9v9l-9 9Z" />
    <circle cx="16.5" cy="7.5" r="1.5" />
  </svg>
)

export const ExamplesIcon = () => (
  <svg {...line}>
    <title>Examples</title>
    <path d="M4 4h6v16H4ZM10 4h4v16h-4M15 6l4-1 3 14-4 1Z" />
  </svg>
)
