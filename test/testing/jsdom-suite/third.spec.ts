import { testAmongNeighbours } from './neighbours.ts'

testAmongNeighbours('third')
