import { createMemoryApprovals } from 'loadout'
import { approvalStoreContract } from './approval-store-contract.ts'

approvalStoreContract('memory', async () => createMemoryApprovals())
