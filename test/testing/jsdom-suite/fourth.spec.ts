import { testAmongNeighbours } from './neighbours.ts'

testAmongNeighbours('fourth')
