import type pg from 'pg'
import { createTable } from './create-table.ts'

/** An order, as the shop's own database has it. */
export interface Order {
  readonly order: string
  readonly paid: number
  readonly paidBack: boolean
}

/** The shop behind the tools: what it knows outlives every server, and is asked when one died half-way. */
export interface Shop {
  find(order: string): Promise<Order>
  /** Pays once, however often it is asked to. */
  payBack(order: string): Promise<Order>
}

export async function openShop(pool: pg.Pool): Promise<Shop> {
  await createTable(pool, 'paid_back ("order" text PRIMARY KEY)')
  const find = async (order: string): Promise<Order> => {
    const { rowCount } = await pool.query('SELECT FROM paid_back WHERE "order" = $1', [order])
    return { order, paid: 7 * Number(order), paidBack: rowCount === 1 }
  }
  return {
    find,
    async payBack(order) {
      await pool.query('INSERT INTO paid_back VALUES ($1) ON CONFLICT DO NOTHING', [order])
      return find(order)
    },
  }
}
