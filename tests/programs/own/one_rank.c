// SPDX-License-Identifier: Apache-2.0
/*
 * An MPI program of one process that sends itself a message, for Open MPI 4, whose headers are not
 * needed: handles are addresses of these objects there.
 */
#include <stdio.h>
#include <string.h>

extern struct ompi_communicator ompi_mpi_comm_world;
extern struct ompi_datatype ompi_mpi_char;

int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(struct ompi_communicator *comm, int *rank);
int MPI_Sendrecv(const void *send, int n_send, struct ompi_datatype *send_type, int to,
		 int send_tag, void *recv, int n_recv, struct ompi_datatype *recv_type, int from,
		 int recv_tag, struct ompi_communicator *comm, void *status);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
	static char sent[] = "across", received[sizeof(sent)];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(&ompi_mpi_comm_world, &rank);
	MPI_Sendrecv(sent, sizeof(sent), &ompi_mpi_char, rank, 0, received, sizeof(received),
		     &ompi_mpi_char, rank, 0, &ompi_mpi_comm_world, NULL);
	printf("rank %d: %s\n", rank, received);
	MPI_Finalize();
	return strcmp(sent, received) != 0;
}
