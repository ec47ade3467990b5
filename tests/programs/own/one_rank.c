// SPDX-License-Identifier: Apache-2.0
/* An MPI program of one process that sends itself a message. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static char sent[] = "across", received[sizeof(sent)];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Sendrecv(sent, sizeof(sent), MPI_CHAR, rank, 0, received, sizeof(received), MPI_CHAR,
		     rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	printf("rank %d: %s\n", rank, received);
	MPI_Finalize();
	return strcmp(sent, received) != 0;
}
