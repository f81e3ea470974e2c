import type { ReactNode } from 'react'

interface TableProps {
  readonly caption: string
  readonly heads: readonly string[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly ReactNode[])[]
}

/** Rows that cannot change places: they come anew with each answer. */
export const Table = ({ caption, heads, rows }: TableProps) => (
  <table>
    <caption>{caption}</caption>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([first, ...cells], at) => (
        <tr key={at}>
          <th scope="row">{first}</th>
          {cells.map((cell, column) => (
            <td key={heads[column + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
