import { code, table } from './markdown.mjs'

/** Figures that are read and meters that are kept, as rows in the order in which they are exposed. */
export const metricTable = (figures, meters) =>
  table(
    ['Metric', 'Kind', 'Labels', 'Tells'],
    [
      ...figures,
      ...meters.map(({ type, labelNames, ...meter }) => ({
        ...meter,
        kind: type,
        labels: labelNames,
      })),
    ].map(({ name, kind, labels = [], help }) => [
      code(name),
      kind,
      labels.map(code).join(', '),
      help,
    ]),
  )
