#!/usr/bin/perl
# Runs a program that can reach little, even when somebody else has taken it over:
#
#   confine.pl READ WRITE -- PROGRAM ARGUMENT...
#
# READ and WRITE are lists of paths, separated by newlines. The program reads and runs what lies in READ, and reads and
# writes files in WRITE; it opens no other file. It opens no socket, and neither sees, signals nor traces other processes.
# Landlock of the Linux kernel restricts files, seccomp the rest; both need no rights, and nothing takes them back. The
# kernel's documentation (userspace-api/landlock, userspace-api/seccomp_filter) is the source of the numbers below.
#
# Where the kernel has none of them, the program runs all the same. `confine.pl READ WRITE --probe FILE` writes which of
# them hold, as « files » and « sockets », by trying to open FILE and a socket.
use strict;
use warnings;
use POSIX ();

my ($read, $write, $end, @program) = @ARGV;
die "usage: confine.pl READ WRITE -- PROGRAM ARGUMENT...\n" unless @program && $end =~ /^--(probe)?$/;

my $machine = (POSIX::uname())[4];

# Numbers of system calls that are not the same everywhere.
my %prctl = (x86_64 => 157, aarch64 => 167);
my ($LANDLOCK_CREATE, $LANDLOCK_ADD, $LANDLOCK_RESTRICT) = (444, 445, 446);

# Rights of Landlock on files.
my ($EXECUTE, $WRITE_FILE, $READ_FILE, $READ_DIR) = (1, 2, 4, 8);
my ($REMOVE_FILE, $MAKE_REG, $TRUNCATE) = (1 << 5, 1 << 8, 1 << 14);

my $O_PATH = 0x200000;

if (my $prctl = $prctl{$machine}) {
  # No program that is run from here gains rights: both mechanisms ask for it.
  my ($NO_NEW_PRIVS, $SECCOMP, $FILTER) = (38, 22, 2);
  syscall($prctl, $NO_NEW_PRIVS, 1, 0, 0, 0) == 0 or die "prctl: $!\n";
  restrict_files();
  my $filter = filter();
  my $program = pack('S x6 P', length($filter) / 8, $filter);
  syscall($prctl, $SECCOMP, $FILTER, $program, 0, 0);
}

if ($end eq '--probe') {
  print "files\n" unless open(my $file, '<', $program[0]);
  print "sockets\n" unless open_socket();
  exit 0;
}
exec { $program[0] } @program or die "$program[0]: $!\n";

sub restrict_files {
  my $version = syscall($LANDLOCK_CREATE, 0, 0, 1);
  return if $version < 1;
  # All rights that this version knows are refused, but where a rule gives them; so are TCP, abstract sockets, signals.
  my $files = (1 << ($version >= 5 ? 16 : $version >= 3 ? 15 : $version == 2 ? 14 : 13)) - 1;
  my $attributes = pack('Q', $files);
  $attributes .= pack('Q', 3) if $version >= 4;
  $attributes .= pack('Q', 3) if $version >= 6;
  my $rules = syscall($LANDLOCK_CREATE, $attributes, length($attributes), 0);
  die "landlock: $!\n" if $rules < 0;
  allow($rules, $_, $files & ($EXECUTE | $READ_FILE | $READ_DIR)) for split /\n/, $read;
  allow($rules, $_, $files & ($READ_FILE | $WRITE_FILE | $TRUNCATE | $MAKE_REG | $REMOVE_FILE)) for split /\n/, $write;
  syscall($LANDLOCK_RESTRICT, $rules, 0) == 0 or die "landlock: $!\n";
  POSIX::close($rules);
}

sub allow {
  my ($rules, $path, $rights) = @_;
  # What is not on this machine needs no rule.
  my $place = POSIX::open($path, $O_PATH) // return;
  $rights &= $EXECUTE | $READ_FILE | $WRITE_FILE | $TRUNCATE unless -d $path;
  syscall($LANDLOCK_ADD, $rules, 1, pack('Q l', $rights, $place), 0) == 0 or die "landlock: $path: $!\n";
  POSIX::close($place);
}

# The system calls that are refused, as a program of the kernel's packet filter: those that open sockets, those by which
# one process reaches another, or the memory that they share, and those of the kernel that need no file.
sub filter {
  my %architecture = (x86_64 => 0xc000003e, aarch64 => 0xc00000b7);
  my %refused = (
    x86_64 => [
      41, 42, 43, 49, 53, 288,                         # socket connect accept bind socketpair accept4
      62, 200, 129, 297, 424,                          # kill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal
      101, 310, 311, 434, 438,                         # ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd
      29, 30, 64, 68, 240,                             # shmget shmat semget msgget mq_open
      425, 321, 298, 323, 248, 249, 250,               # io_uring_setup bpf perf_event_open userfaultfd add_key request_key keyctl
      272, 308, 161, 155, 165, 304, 175, 313,          # unshare setns chroot pivot_root mount open_by_handle_at init_module finit_module
    ],
    aarch64 => [
      198, 203, 202, 200, 199, 242,
      129, 130, 138, 240, 424,
      117, 270, 271, 434, 438,
      194, 196, 190, 186, 180,
      425, 280, 241, 282, 217, 218, 219,
      97, 268, 51, 41, 40, 265, 105, 273,
    ],
  );
  my %tgkill = (x86_64 => 234, aarch64 => 131);
  my @refused = @{ $refused{$machine} };
  # Operations of the filter, and what it answers.
  my ($LOAD, $EQUAL, $AT_LEAST, $ANSWER) = (0x20, 0x15, 0x35, 0x06);
  my ($KILL, $REFUSE, $ALLOW) = (0x80000000, 0x00050001, 0x7fff0000);
  my @steps = (
    [$LOAD, 0, 0, 4],                                  # architecture
    [$EQUAL, 1, 0, $architecture{$machine}],
    [$ANSWER, 0, 0, $KILL],
    [$LOAD, 0, 0, 0],                                  # number of the call
    [$AT_LEAST, @refused + 4, 0, 0x40000000],  # of another numbering of the same machine
    (map { [$EQUAL, @refused - $_ + 3, 0, $refused[$_]] } 0 .. $#refused),
    # A process may end itself by a signal, and no other one.
    [$EQUAL, 0, 2, $tgkill{$machine}],
    [$LOAD, 0, 0, 16],                                 # first argument
    [$EQUAL, 0, 1, $$],
    [$ANSWER, 0, 0, $ALLOW],
    [$ANSWER, 0, 0, $REFUSE],
  );
  return join '', map { pack('S C C L', @$_) } @steps;
}

sub open_socket {
  require Socket;
  return socket(my $socket, Socket::AF_UNIX(), Socket::SOCK_STREAM(), 0);
}
